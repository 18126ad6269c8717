import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Measures what this process holds after garbage collection. */
export function memoryInUse(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage()
}
