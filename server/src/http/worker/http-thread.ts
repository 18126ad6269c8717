/** The HTTP thread begins with this. */
await import('./run.ts')
