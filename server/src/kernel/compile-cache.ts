import { enableCompileCache } from 'node:module'
import path from 'node:path'

/**
 * Compiling is half of what a restart takes, so what comes of it is kept: beside the packages, where only who installed
 * them may write. Without such a place it is done each time. For this thread, and for what it imports from now on.
 */
export function keepCompiledCode(): void {
  enableCompileCache(path.join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'candela'))
}
