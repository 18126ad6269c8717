import { enableCompileCache } from 'node:module'
import path from 'node:path'

/**
 * Compiling is half of what a start takes, so compiled code is kept, beside the packages, where only the user who
 * installed them may write. Where that is not possible, it is compiled each time. For this thread, and for what it
 * imports from now on.
 */
export function keepCompiledCode(): void {
  enableCompileCache(path.join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'candela'))
}
