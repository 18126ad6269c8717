/** What the HTTP thread begins with. */
await import('../http/worker/run.ts')
