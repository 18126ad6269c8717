import { sql } from 'kysely'
import {
  type FollowerLimits,
  type FollowerStatus,
  isClose,
  isFresh,
  readFollowerStatus,
} from '../chain/follow/status.ts'
import type { Database } from '../db/open.ts'
import type { HealthChecks } from '../api/health.ts'
import { gauge, type GaugeSource } from '../kernel/gauge.ts'
import { type Clock, stopwatch } from '../kernel/clock.ts'

/** Null before the first followed block. */
const ageInSeconds = ({ lag_s }: FollowerStatus): number | null => (Number.isFinite(lag_s) ? Math.round(lag_s) : null)

/** The checks of `/readyz`. A halt of crediting is shown but leaves the server ready: only the operator can end it. */
export function healthChecks({
  db,
  clock,
  limits,
  missing,
}: {
  db: Database
  clock: Clock
  limits: FollowerLimits
  /** The requirements that the nodes lack; null while none has answered. */
  missing: () => readonly string[] | null
}): HealthChecks {
  return {
    database: async () => {
      const elapsed_ms = stopwatch()
      await sql`select 1`.execute(db)
      return { ok: true, latency_ms: Math.round(elapsed_ms()) }
    },
    chain: async () => {
      const status = await readFollowerStatus(db, clock.now())
      if (status === null) return { ok: false, head: null, headAge_s: null }
      return { ok: isFresh(status, limits), head: Number(status.head), headAge_s: ageInSeconds(status) }
    },
    node: async () => {
      const lacks = missing() ?? []
      return { ok: lacks.length === 0, lacks: lacks.length === 0 ? null : lacks.join(', ') }
    },
    follower: async () => {
      const status = await readFollowerStatus(db, clock.now())
      if (status === null) return { ok: false, followed: null, lag_blocks: null, halted: false }
      const { followed, lag_blocks, haltedReason } = status
      return {
        ok: isClose(status, limits),
        followed: Number(followed),
        lag_blocks: Number(lag_blocks),
        halted: haltedReason !== null,
      }
    },
  }
}

/** The follower for Prometheus. */
export function followerGauges(db: Database, clock: Clock): GaugeSource[] {
  const follower = (name: string, help: string, figure: (status: FollowerStatus) => number) =>
    gauge(name, help, async () => {
      const status = await readFollowerStatus(db, clock.now())
      return status === null ? Number.NaN : figure(status)
    })
  return [
    follower('chain_head', 'Newest block seen.', ({ head }) => Number(head)),
    follower('chain_lag_blocks', 'Blocks not read yet.', ({ lag_blocks }) => Number(lag_blocks)),
    follower(
      'chain_lag_seconds',
      'Age of what is known of the chain, by its own time and by ours.',
      ({ lag_s }) => lag_s,
    ),
    follower('payments_waiting', 'Payments below their depth.', ({ waiting }) => waiting),
    follower('payments_failing', 'Payments that could not be settled.', ({ failing }) => failing),
    follower('payments_orphaned', 'Credited payments that left the chain.', ({ orphaned }) => orphaned),
    follower('crediting_halted', '1 while crediting waits for the operator.', ({ haltedReason }) =>
      haltedReason === null ? 0 : 1,
    ),
  ]
}
