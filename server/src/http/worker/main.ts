import { flushCompileCache } from 'node:module'
import { keepCompiledCode } from '../../kernel/compile-cache.ts'

keepCompiledCode()
await import('./run.ts')
flushCompileCache()
