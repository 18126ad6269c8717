import { type Database, transaction } from '@candela/server/db/open'
import { systemClock } from '@candela/server/kernel/clock'
import { silentLog } from '@candela/server/kernel/log'
import { auditRound } from '@candela/server/ledger/audit/audit-round'
import { checkPostings } from '@candela/server/ledger/audit/checks'
import { countOpenFindings } from '@candela/server/ledger/audit/findings'
import { settledUpTo } from '@candela/server/ledger/audit/horizon'
import { nextRange, sealRange } from '@candela/server/ledger/audit/seal-range'
import { sql } from 'kysely'
import { seconds } from '../support/figures.ts'
import { countEntries, fillTo } from './fill.ts'
import type { Measure } from './measure.ts'
import type { Ledger } from './ledger.ts'

/** Entries of one sealed range, and accounts of one statement: those of the running service. */
const AUDIT = { entries: 20_000, accounts: 10_000 }
/** New entries of a round: as many as ten ranges. */
const NEW = 200_000
/** Entries of the preparation that are checked one by one before they are sealed. */
const CHECKED = 500_000

export function auditMeasures(rounds: number): Measure[] {
  return [
    {
      figures: [{ name: 'audit, sealing what is new', unit: 'µs an entry' }],
      isWarmed: true,
      rounds,
      prepare: async ({ db }) => void (await sealAll(db, CHECKED)),
      async once({ db, world }) {
        await fillTo(db, world, (await countEntries(db)) + NEW)
        await sql`checkpoint`.execute(db)
        const { spent, entries } = await sealAll(db, Number.POSITIVE_INFINITY)
        return [(spent * 1e6) / entries]
      },
    },
    {
      figures: [{ name: 'audit, comparing balances', unit: 'µs an account' }],
      isWarmed: false,
      rounds: Math.min(rounds, 3),
      once: compareBalances,
    },
  ]
}

/**
 * Seals what is new, as the service does. Of what was filled in, only the last entries are checked one by one, which would
 * take an hour for a hundred million; the others are sealed as they are.
 */
async function sealAll(db: Database, checked: number): Promise<{ spent: number; entries: number }> {
  const horizon = settledUpTo(db)
  let step = await horizon.next()
  while (step.done !== true) step = await horizon.next()
  const { id: round } = await db
    .insertInto('ledger_audit_round')
    .values({ started_at: systemClock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ entries: bigint }>`
    select coalesce(sum(entries), 0)::bigint as entries from ledger_audit_range`.execute(db)
  let left = (await countEntries(db)) - Number(rows[0]?.entries)
  let spent = 0
  let sealed = 0
  for (;;) {
    const isChecked = left <= checked
    const range = await nextRange(db, step.value, AUDIT.entries)
    if (range === null) break
    let entries = 0
    spent += await seconds(() =>
      transaction(
        db,
        async (tx) => {
          const findings = isChecked ? await checkPostings(tx, range) : []
          if (findings.length > 0) throw new Error(`the audit found ${JSON.stringify(findings.slice(0, 3))}`)
          entries = await sealRange(tx, range, round)
        },
        { isolation: 'repeatable read' },
      ),
    )
    sealed += entries
    left -= entries
  }
  return { spent, entries: sealed }
}

/** A whole round of the audit, which must find nothing. */
async function compareBalances({ db }: Ledger): Promise<number[]> {
  const spent = await seconds(async () => {
    const whole = auditRound({ db, clock: systemClock, log: silentLog(), sizes: { ...AUDIT, verifyWithin: 1e9 } })
    while ((await whole.next()).done !== true);
  })
  if ((await countOpenFindings(db)) > 0) throw new Error('the audit found something')
  // Accounts without an entry, of which there are many at the first size, cost little.
  const { rows } = await sql<{ accounts: bigint }>`
    select count(*) as accounts from ledger_account where version > 0`.execute(db)
  return [(spent * 1e6) / Number(rows[0]?.accounts)]
}
