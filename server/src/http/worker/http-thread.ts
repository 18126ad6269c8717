/** What the HTTP thread begins with. */
await import('./run.ts')
