import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The file that a thread begins with, beside the one whose URL is given: among the sources, and in a build. */
export const threadFile = (beside: string, name: string): string =>
  fileURLToPath(new URL(`${name}${path.extname(beside)}`, beside))

/** Gives this thread less of the processor than those that answer calls; only Linux has a priority for each thread. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL)
}
