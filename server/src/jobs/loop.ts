import { setTimeout as sleep } from 'node:timers/promises'
import { isLeaseLost } from '../db/open.ts'
import { reasonOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'

export type LoopOptions = {
  /** For the log, such as "following the chain". */
  name: string
  /** Does one piece of work. Returns true when there is more to do at once. */
  work: () => Promise<boolean>
  /** Pause after a piece without more. */
  interval_ms: number
  /** Longest pause after failures; it doubles from `interval_ms` with each. */
  longestPause_ms?: number
  log: Log
}

/** Something that runs until it is stopped. */
export type Loop = {
  /** Lets the piece of work under way finish. May be called twice. */
  stop(): Promise<void>
  /** Ends the pause: the next piece begins now, or after the piece under way. A pause after a failure goes on. */
  wake(): void
  /** Why the last piece failed; null when it did not. */
  failure(): string | null
}

/**
 * Does one piece of work after the other. A failure is logged when it appears or changes, not each time; the work is
 * tried again after growing pauses, without an end. Only when another server has taken the lease of the work, the loop ends.
 */
export function runLoop(options: LoopOptions): Loop {
  const stopping = new AbortController()
  let failure: string | null = null
  let waking = new AbortController()
  const run = async (): Promise<void> => {
    let failures = 0
    while (!stopping.signal.aborted) {
      waking = new AbortController()
      try {
        const more = await options.work()
        if (failure !== null) {
          options.log.info({ event: 'loop.recovered', loop: options.name }, `${options.name}: works again`)
        }
        failure = null
        failures = 0
        if (!more) await pause(options.interval_ms, AbortSignal.any([stopping.signal, waking.signal]))
      } catch (error) {
        const reason = reasonOf(error)
        // The server that held the lease logs that it is lost, once for all loops.
        if (isLeaseLost(error)) {
          failure = reason
          return
        }
        if (reason !== failure) {
          options.log.error(
            { event: 'loop.failed', loop: options.name, err: error },
            `${options.name}: ${reason}; trying again`,
          )
        }
        failure = reason
        failures += 1
        const longest_ms = options.longestPause_ms ?? 15_000
        await pause(Math.min(longest_ms, options.interval_ms * 2 ** Math.min(failures - 1, 20)), stopping.signal)
      }
    }
  }
  const done = run()
  return {
    stop: () => {
      stopping.abort()
      return done
    },
    wake: () => waking.abort(),
    failure: () => failure,
  }
}

/** An abort ends the pause early, which is no failure. */
const pause = (duration_ms: number, ends: AbortSignal) =>
  sleep(duration_ms, undefined, { signal: ends }).catch(() => undefined)
