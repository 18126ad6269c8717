/** Parts that are started again when they end by themselves. */
import { setTimeout as sleep } from 'node:timers/promises'

/** One life of a part. `exited` settles when it has ended, however. */
export interface Life {
  pid: number
  exited: Promise<unknown>
  stop: () => Promise<void>
}

/** A part that keeps coming back. */
export interface KeptPart {
  /** Of the present life, or of the last one while the next is being started. */
  pid: () => number
  /** Ends it for good. */
  stop: () => Promise<void>
}

/** A life shorter than this counts as a failed start, so that the pause before the next grows. */
const healthyLifeMs = 30_000
const longestPauseMs = 10_000

/**
 * Starts a part and keeps it running until `stop`.
 * @throws when the first start fails; later failures are said and tried again
 */
export async function keepRunning(
  name: string,
  start: (signal: AbortSignal) => Promise<Life>,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<KeptPart> {
  const stopping = new AbortController()
  let life = await start(AbortSignal.any([stopping.signal, signal]))
  const keeping = (async () => {
    let pauseMs = 100
    for (;;) {
      const bornMs = performance.now()
      await life.exited
      if (stopping.signal.aborted) return
      if (performance.now() - bornMs > healthyLifeMs) pauseMs = 100
      log(`${name} (process ${life.pid}) has ended; starting it again`)
      for (let isUp = false; !isUp;) {
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
        if (stopping.signal.aborted) return
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
        try {
          life = await start(stopping.signal)
          isUp = true
          log(`${name} runs again (process ${life.pid})`)
        } catch (error) {
          if (stopping.signal.aborted) return
          log(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
      if (stopping.signal.aborted) await life.stop()
    }
  })()
  return {
    pid: () => life.pid,
    stop: async () => {
      stopping.abort()
      await life.stop()
      await keeping
      // It may have been born while the one before was being stopped.
      await life.stop()
    },
  }
}
