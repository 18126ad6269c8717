import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Lease } from '../db/lease/lease.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { reasonOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'

/** How many times within the lease's duration its holder prolongs it, and each other server looks at it. */
const PROLONGATIONS = 4
const LOOKS = 6
/** Work that goes on for longer after the lease was lost does not stop by itself any more. */
const STOP_LIMIT_MS = 30_000
/** No work runs on a machine whose clock differs from the database's by more, in milliseconds. */
const MAX_CLOCK_GAP_MS = 30_000

/** The work that runs while the lease is held. */
export type LedWork = {
  /** Lets what is under way finish. */
  stop(): Promise<void>
}

export type Leading = {
  /** Rejects when work goes on after its lease was lost; never resolves. */
  failed: Promise<never>
  /** The number of the lease while its work runs here; null otherwise. */
  number(): bigint | null
  /** Stops the work, then gives the lease back. May be called twice. */
  stop(): Promise<void>
}

/** The work stops because another server has the lease, or because the clock of this machine is wrong. */
type Loss = 'taken' | 'clock'

export type LeadOptions = {
  lease: Lease
  /** Starts the work, whose writes must be fenced with this number: it may go on for a while after the lease was lost. */
  begin: (number: bigint) => Promise<LedWork>
  log: Log
  stopLimit_ms?: number
  /** The clock of the machine, which is compared with the database's. */
  clock?: Clock
  /** Resolves after a time; rejects when it is aborted before. By default real time. */
  sleep?: (duration_ms: number, until: AbortSignal) => Promise<void>
}

const realSleep = (duration_ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(duration_ms, undefined, { signal })

/**
 * Takes the lease whenever it is free, and has the work done for as long as it is held. A server with a wrong clock does not work: it
 * would close days before they end, and queue tasks for a time that is far away.
 */
export function lead(options: LeadOptions): Leading {
  const { lease, begin, log, stopLimit_ms = STOP_LIMIT_MS, clock = systemClock, sleep = realSleep } = options
  /** An abort ends the pause early, which is no failure. */
  const pause = (duration_ms: number, until: AbortSignal) => sleep(duration_ms, until).catch(() => undefined)
  const stopping = new AbortController()
  const { signal } = stopping
  const [prolong_ms, look_ms] = [lease.duration_ms / PROLONGATIONS, lease.duration_ms / LOOKS]
  const stopped = once(signal, 'abort')
  const failed = Promise.withResolvers<never>()
  // Without a handler here, a rejection that the caller does not listen to would end the process.
  failed.promise.catch(() => undefined)
  let held: bigint | null = null
  let seen: bigint | null = null
  let isReached = true
  let isRight = true

  /** Null when the database does not answer, which is logged once. */
  const ask = async <T>(question: Promise<T>): Promise<T | null> => {
    try {
      const answer = await question
      isReached = true
      return answer
    } catch (error) {
      if (isReached) {
        const reason = reasonOf(error)
        log.warn({ event: 'lease.not-reached', reason }, 'the lease cannot be read or prolonged; trying again')
      }
      isReached = false
      return null
    }
  }

  const isClockRight = async (): Promise<boolean> => {
    const before_ms = clock.now().getTime()
    const time = await ask(lease.time())
    if (time === null) return isRight
    const gap_ms = Math.max(before_ms - time.getTime(), time.getTime() - clock.now().getTime())
    const wasRight = isRight
    isRight = gap_ms <= MAX_CLOCK_GAP_MS
    const facts = { seconds: Math.round(gap_ms / 1_000) }
    if (wasRight && !isRight)
      log.error({ event: 'lease.clock-wrong', ...facts }, 'the clock of this machine is not that of the database')
    if (!wasRight && isRight) log.info({ event: 'lease.clock-right' }, 'the clock of this machine is right again')
    return isRight
  }

  const prolongUntil = async (done: AbortSignal, number: bigint, lost: (reason: Loss) => void): Promise<void> => {
    for (;;) {
      await pause(prolong_ms, done)
      if (done.aborted) return
      if ((await ask(lease.prolong(number))) === false) return lost('taken')
      if (!(await isClockRight())) lost('clock')
    }
  }

  const stopWithin = async (work: LedWork): Promise<void> => {
    const inTime = new AbortController()
    const late = sleep(stopLimit_ms, inTime.signal).then(
      () => failed.reject(new Error('the work under a lease that was lost does not stop')),
      () => undefined,
    )
    await work.stop()
    inTime.abort()
    await late
  }

  const term = async (number: bigint): Promise<void> => {
    const done = new AbortController()
    const lost = Promise.withResolvers<Loss>()
    const prolonging = prolongUntil(done.signal, number, lost.resolve)
    const work = await begin(number).catch((error: unknown) => {
      log.error({ event: 'lease.work-failed', err: error }, 'the work under the lease did not begin; trying again')
      return null
    })
    const loss = work === null ? null : await Promise.race([lost.promise, stopped.then(() => null)])
    const isTaken = loss === 'taken'
    if (isTaken) log.warn({ event: 'lease.lost', number: String(number) }, 'another server has taken the lease')
    if (work !== null) await (loss === null ? work.stop() : stopWithin(work))
    // Prolonged until then, so that nobody is refused what is being finished.
    done.abort()
    await prolonging
    if (!isTaken) await ask(lease.release(number))
    if (work === null) await pause(look_ms, signal)
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      if (!(await isClockRight())) {
        await pause(look_ms, signal)
        continue
      }
      const taking = await ask(lease.take())
      if (taking === null || !taking.isTaken) {
        if (taking !== null && taking.number !== seen) {
          const facts = { number: String(taking.number), holder: taking.holder }
          log.info({ event: 'lease.held-elsewhere', ...facts }, 'another server has the lease')
        }
        seen = taking?.number ?? seen
        await pause(look_ms, signal)
        continue
      }
      held = seen = taking.number
      const facts = { number: String(taking.number), holder: taking.holder }
      log.info({ event: 'lease.taken', ...facts }, 'this server has taken the lease')
      await term(taking.number)
      held = null
    }
  }

  const running = run()
  return {
    failed: failed.promise,
    number: () => held,
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
