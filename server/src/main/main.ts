import { flushCompileCache } from 'node:module'
import { keepCompiledCode } from '../kernel/compile-cache.ts'

keepCompiledCode()
await import('./run-server.ts')
// Now and not at the end, because a process that is killed would keep nothing.
flushCompileCache()
