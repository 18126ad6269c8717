import { setTimeout as sleep } from 'node:timers/promises'

/** How often to look whether npm still runs, in milliseconds: no signal tells of its end. */
const LOOK_AGAIN_MS = 500

/**
 * Resolves when npm has ended, if it has started this process: npm passes SIGTERM on, but neither the hangup of a closed terminal nor
 * its own kill. Otherwise never.
 */
export async function npmEnded(signal: AbortSignal): Promise<void> {
  if (process.env['npm_lifecycle_event'] === undefined) return new Promise(() => {})
  const parent = process.ppid
  while (process.ppid === parent) {
    await sleep(LOOK_AGAIN_MS, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return new Promise(() => {})
  }
}
