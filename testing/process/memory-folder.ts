import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm'
/** A whole test run keeps less than half of it in temporary folders at once. */
const NEEDED_BYTES = 10 * 1024 ** 3

/**
 * A folder in memory for temporary files, or undefined where there is none with enough room, or none that programs can
 * be started from. A test database has hundreds of small files, and making them on a disk takes most of a copy's time.
 */
export function memoryFolder(): string | undefined {
  if (process.platform !== 'linux' || freemem() < NEEDED_BYTES) return undefined
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= NEEDED_BYTES && mayStartPrograms() ? MEMORY : undefined
  } catch {
    return undefined
  }
}

function mayStartPrograms(): boolean {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  const options = mounts.map((line) => line.split(' ')).findLast(([, place]) => place === MEMORY)?.[3]
  return options !== undefined && !options.split(',').includes('noexec')
}
