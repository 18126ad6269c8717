import { existsSync, readFileSync } from 'node:fs'
import { writeFileAtomic } from '@candela/testing/process/write-file-atomic'

/** The machine's time, and what was let pass beyond it: for the chain, and by its file for the server's clock. */
export interface DevelopmentTime {
  /** Milliseconds since 1970. */
  nowMs: () => number
  /** Moves the time forward, for good. @throws where it must be the machine's */
  pass: (durationMs: number) => Promise<void>
}

/** Goes on with the time of the last start. @param file undefined where the time is the machine's */
export function openDevelopmentTime(file: string | undefined): DevelopmentTime {
  let offsetMs = file !== undefined && existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  return {
    nowMs: () => Date.now() + offsetMs,
    async pass(durationMs) {
      if (file === undefined) throw new Error('Time is only let pass on a development chain that is not in production')
      if (!Number.isSafeInteger(durationMs) || durationMs < 0) throw new RangeError(`not a duration: ${durationMs}`)
      offsetMs += durationMs
      await writeFileAtomic(file, String(offsetMs))
    },
  }
}
