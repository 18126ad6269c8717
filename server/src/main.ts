import { enableCompileCache, flushCompileCache } from 'node:module'
import path from 'node:path'

/**
 * Compiling is half of what a restart takes, so what comes of it is kept: beside the packages, where only who installed
 * them may write. Without such a place it is done each time.
 */
enableCompileCache(path.join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'candela'))
await import('./run-server.ts')
// Now, and not at the end: a process that is killed keeps nothing.
flushCompileCache()
