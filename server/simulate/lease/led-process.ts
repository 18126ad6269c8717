import { systemClock } from '@candela/server/kernel/clock'
import { setImmediate } from 'node:timers/promises'
import { type Database, isLeaseLost } from '@candela/server/db/open'
import { type Lease, openLease } from '@candela/server/db/lease/lease'
import { type Leading, lead } from '@candela/server/jobs/lead'
import { reasonOf } from '@candela/server/kernel/errors'
import type { Log } from '@candela/server/kernel/log'
import { openWorkDatabase, WORK_LEASE } from '@candela/server/jobs/start-work'
import { sql } from 'kysely'
import { type LeaseTime, type Sleeper, withLeaseClock } from './lease-time.ts'

/** A lease that is not prolonged for this long may be taken. Half of it is also how long an answer may take, in real time. */
export const LEASE_MS = 60_000
/** Connections of the work. */
const POOL = 8

export type LedOptions<Works> = {
  name: string
  url: string
  log: Log
  time: LeaseTime
  /** The work that runs under the lease, with all that it keeps in memory. */
  compose: (db: Database) => Works
}

/** A process that works while it has the lease, as `startLeading` and `startWork` of the server do it. */
export class LedProcess<Works> implements Sleeper {
  /** Nothing of it goes on, as of a machine that is suspended. */
  isPaused = false
  /** It does not reach the lease. */
  isCutOff = false
  /** True when its work did not end after the lease was lost, so that the server would end. */
  hasFailed = false
  private readonly options: LedOptions<Works>
  private readonly leading: Leading
  private lease: Lease
  private db: Database | null = null
  private works: Works | null = null
  private readonly running = new Set<Promise<unknown>>()
  private asking = 0
  private isDead = false

  constructor(options: LedOptions<Works>) {
    this.options = options
    this.lease = this.openLease()
    const lease: Lease = {
      take: () => this.ask(() => this.lease.take()),
      prolong: (number) => this.ask(() => this.lease.prolong(number)),
      release: (number) => this.ask(() => this.lease.release(number)),
      // The clock of the machine is right here: the simulated one of the database is at another time.
      time: () => Promise.resolve(systemClock.now()),
      close: () => this.lease.close(),
      duration_ms: LEASE_MS,
    }
    const begin = (number: bigint) => this.count(() => Promise.resolve(this.begin(number)))
    const { log, time } = options
    this.leading = lead({ lease, begin, log, sleep: time.sleepOf(this) })
    this.leading.failed.catch(() => {
      this.hasFailed = true
    })
  }

  /** True while it waits for a time, or for its own work to end. */
  get isSettled(): boolean {
    return this.asking === 0
  }

  /** The work that it may run now, as far as it knows; null without the lease. */
  get current(): Works | null {
    return this.works
  }

  /** The number under which it works; null when it does not. */
  get number(): bigint | null {
    return this.leading.number()
  }

  /** Counts what runs, which has to end before the work under the lease has ended. */
  async run<T>(work: (works: Works) => Promise<T>): Promise<T | false> {
    if (this.works === null) return false
    const done = work(this.works)
    this.running.add(done)
    try {
      return await done
    } finally {
      this.running.delete(done)
    }
  }

  /** Gives the lease back, when what is under way has ended. */
  stop(): Promise<void> {
    return this.leading.stop()
  }

  /** Replaces the connections that Postgres has ended. */
  async reconnect(): Promise<void> {
    const { db } = this
    if (db !== null) {
      const probe = () => Promise.allSettled(Array.from({ length: POOL }, () => sql`select 1`.execute(db)))
      while ((await probe()).some(({ status }) => status === 'rejected'));
    }
    const old = this.lease
    this.lease = this.openLease()
    await old.close()
  }

  /** Whether a failure is one of a worker that has lost its lease, or its connections with it. */
  isRefusal(error: unknown): boolean {
    return isLeaseLost(error) || /terminat|connection|not queryable/i.test(reasonOf(error))
  }

  /** Nothing of it goes on, and its connections are closed. */
  async kill(): Promise<void> {
    if (this.isDead) return
    this.isDead = true
    this.works = null
    this.options.time.forget(this)
    await Promise.all([this.lease.close(), this.db?.destroy()])
    this.db = null
  }

  private openLease(): Lease {
    const { url, name, log } = this.options
    return openLease({ url: withLeaseClock(url), name: WORK_LEASE, holder: name, duration_ms: LEASE_MS, log })
  }

  private begin(number: bigint) {
    const { url, log, compose } = this.options
    const db = openWorkDatabase({ url, log }, number)
    this.db = db
    this.works = compose(db)
    return {
      stop: async () => {
        this.works = null
        await Promise.allSettled(this.running)
        this.db = null
        await this.count(() => db.destroy())
      },
    }
  }

  private ask<T>(question: () => Promise<T>): Promise<T> {
    return this.count(() => (this.isCutOff ? Promise.reject(new Error('the lease is not reached')) : question()))
  }

  private async count<T>(work: () => Promise<T>): Promise<T> {
    this.asking += 1
    try {
      return await work()
    } finally {
      this.asking -= 1
    }
  }
}

/** Resolves when all wait for a time, or for work of their own. What follows an answer follows it at once. */
export async function settled(all: () => Iterable<LedProcess<unknown>>): Promise<void> {
  do await setImmediate()
  while ([...all()].some((one) => !one.isSettled))
  await setImmediate()
}
