/** The HTTP thread begins with this. */
await import('../http/worker/run.ts')
