import { setTimeout as sleep } from 'node:timers/promises'
import { stopwatch } from '../../kernel/clock.ts'
import { learnedLimit } from './learned-limit.ts'

const SECOND_MS = 1_000
/** The longest pause that a node can ask for. */
const LONGEST_PAUSE_MS = 30_000

/** How often a node may be asked. */
export type Throttle = {
  /** Waits until so many more calls may be sent. Who waits is served in the order of asking. */
  wait(calls: number): Promise<void>
  /** The node answered. */
  answered(): void
  /** The node refused because it was asked too often. @param retryAfter_ms what it wants to be left alone for */
  refused(retryAfter_ms: number | null): void
}

/**
 * Sends no more calls a second than a node bears. While it refuses nothing, and no most is set, nobody waits.
 * @param most calls a second; infinite when nobody has set it
 */
export function createThrottle(most: number): Throttle {
  const limit = learnedLimit({ first: most, most })
  let sent: { at_ms: number; calls: number }[] = []
  let pausedUntil_ms = 0
  let turn = Promise.resolve()
  const now_ms = stopwatch()
  const ofLastSecond = (): number => {
    sent = sent.filter(({ at_ms }) => at_ms > now_ms() - SECOND_MS)
    return sent.reduce((sum, { calls }) => sum + calls, 0)
  }
  const mayGo = async (calls: number): Promise<void> => {
    for (;;) {
      const pause_ms = pausedUntil_ms - now_ms()
      const inWindow = ofLastSecond()
      // More than a second's worth goes alone.
      if (pause_ms <= 0 && (inWindow === 0 || inWindow + calls <= limit.current())) break
      const oldest = sent[0]
      await sleep(Math.max(1, pause_ms, oldest === undefined ? 0 : oldest.at_ms + SECOND_MS - now_ms()))
    }
    sent.push({ at_ms: now_ms(), calls })
  }
  return {
    wait(calls) {
      turn = turn.then(() => mayGo(calls))
      return turn
    },
    answered: () => limit.bore(ofLastSecond()),
    refused(retryAfter_ms) {
      limit.refused(ofLastSecond())
      const pause_ms = Math.min(retryAfter_ms ?? SECOND_MS, LONGEST_PAUSE_MS)
      pausedUntil_ms = Math.max(pausedUntil_ms, now_ms() + pause_ms)
    },
  }
}
