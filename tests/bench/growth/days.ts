/** Measures what is done once for each day: the close, and the snapshot of what is owed. */
import { addDays, utcDay } from '@candela/protocol/calendar'
import { fakeClock } from '@candela/server/kernel/clock'
import { snapshotDeps } from '@candela/server/jobs/compose-attest'
import { closeDays } from '@candela/server/modules/income/close-days'
import { addRevenue, DEPTH, finalAt } from '@candela/server/modules/income/testing'
import { takeSnapshot } from '@candela/server/modules/proof/snapshot/take-snapshot'
import { sql } from 'kysely'
import { oneConfirmation } from '../../../server/test/proof/attested.ts'
import { seconds } from '../support/figures.ts'
import { timeOf } from './fill.ts'
import type { Measure } from './measure.ts'
import type { Ledger } from './ledger.ts'

const clockOf = ({ entries }: Ledger) => fakeClock(timeOf(entries).toISOString())

export function dayMeasures(rounds: number): Measure[] {
  return [
    {
      figures: [{ name: 'close of a day', unit: 'µs an account' }],
      isWarmed: true,
      rounds,
      prepare: allIsFinal,
      once: closeNextDay,
    },
    {
      figures: [{ name: 'snapshot of what is owed', unit: 'µs a member' }],
      isWarmed: true,
      rounds: Math.min(rounds, 3),
      once: takeNextSnapshot,
    },
  ]
}

async function allIsFinal({ db }: Ledger): Promise<void> {
  await finalAt(db, new Date('2027-12-31T00:00:00Z'))
  await sql`update chain_cursor set followed_hash = 'h' || followed`.execute(db)
}

/** The day after the last closed one. */
async function closeNextDay(ledger: Ledger): Promise<number[]> {
  const { db, owners } = ledger
  const { rows } = await sql<{ day: string | null }>`select max(day)::text as day from income_day`.execute(db)
  const day = addDays(rows[0]?.day ?? '2025-12-31', 1)
  await addRevenue(db, day, 10n ** 24n)
  await sql`checkpoint`.execute(db)
  const spent = await seconds(() => closeDays({ db, clock: clockOf(ledger), depth: DEPTH }, day))
  return [(spent * 1e6) / owners]
}

async function takeNextSnapshot(ledger: Ledger): Promise<number[]> {
  const { db, postgres, world } = ledger
  const payouts = { holdings: () => Promise.resolve({ JU: 0n, USDT: 0n, HASH: 0n }) }
  const config = oneConfirmation()
  const deps = snapshotDeps({ db, clock: clockOf(ledger), config, payouts, databaseUrl: postgres.url() })
  const { rows } = await sql<{ day: string | null }>`select max(day)::text as day from proof_snapshot`.execute(db)
  const day = addDays(rows[0]?.day ?? utcDay(timeOf(0)), 1)
  let isTaken = false
  const spent = await seconds(async () => {
    isTaken = await takeSnapshot(deps, day)
  })
  if (!isTaken) throw new Error('the snapshot was not taken')
  return [(spent * 1e6) / world.members]
}
