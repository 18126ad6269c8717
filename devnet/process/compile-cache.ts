import { join } from 'node:path'

/**
 * Where Node keeps what it has compiled of the sources, for the next process of the same sources (NODE_COMPILE_CACHE): a server
 * or a command starts in two thirds of the time. Keyed by content and version, and left out by Node where it cannot be written.
 */
export const compileCache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'candela-compiled')
