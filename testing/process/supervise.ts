/** Processes that are started again when they exit by themselves. */
import { setTimeout as sleep } from 'node:timers/promises'

/** One run of a process. `exited` settles when it has ended, for whatever reason. */
export interface ProcessRun {
  pid: number
  exited: Promise<unknown>
  stop: () => Promise<void>
}

/** A process that is started again after each exit. */
export interface SupervisedProcess {
  /** The process id of the current run, or of the last one while the next is being started. */
  pid: () => number
  /** Ends it, and does not start it again. */
  stop: () => Promise<void>
}

/** A shorter run counts as a failed start, so that the delay before the next one grows. */
const minHealthyRunMs = 30_000
const minDelayMs = 100
const maxDelayMs = 10_000

const timer = (durationMs: number, signal: AbortSignal) => sleep(durationMs, undefined, { signal })

/**
 * Starts a process and starts it again after each exit, until `stop`. `name` is for the log. `pause` waits between two starts,
 * and ends early with its signal.
 * @throws when the first start fails; later failures are logged and tried again
 */
export async function supervise(
  name: string,
  start: (signal: AbortSignal) => Promise<ProcessRun>,
  log: (line: string) => void,
  signal: AbortSignal,
  pause: (durationMs: number, signal: AbortSignal) => Promise<unknown> = timer,
): Promise<SupervisedProcess> {
  const stopping = new AbortController()
  let run = await start(AbortSignal.any([stopping.signal, signal]))
  const supervising = (async () => {
    let delayMs = minDelayMs
    for (;;) {
      const startedMs = performance.now()
      await run.exited
      if (stopping.signal.aborted) return
      if (performance.now() - startedMs > minHealthyRunMs) delayMs = minDelayMs
      log(`${name} (process ${run.pid}) has ended; starting it again`)
      for (let isUp = false; !isUp;) {
        await pause(delayMs, stopping.signal).catch(() => {})
        if (stopping.signal.aborted) return
        delayMs = Math.min(delayMs * 2, maxDelayMs)
        try {
          run = await start(stopping.signal)
          isUp = true
          log(`${name} runs again (process ${run.pid})`)
        } catch (error) {
          if (stopping.signal.aborted) return
          log(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
      if (stopping.signal.aborted) await run.stop()
    }
  })()
  return {
    pid: () => run.pid,
    stop: async () => {
      stopping.abort()
      await run.stop()
      await supervising
      // A new run may have been started while the one before was being stopped.
      await run.stop()
    },
  }
}
