import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrationsFolder } from './migrate.ts'
import { createTestDatabase } from '@candela/testing/postgres/test-database'

test('revenue that was recorded before its day was bounded gets a day that can be closed', async () => {
  await using database = await createTestDatabase({ asOwner: true })
  const { db } = database
  await sql`drop view chain_payment, uncredited_payment cascade`.execute(db)
  await sql`alter table chain_event drop column revenue_day`.execute(db)
  const references = ['0000-01-01', '9999-12-31', '2026-02-20', '2026-03-02']
  const rows = [
    ...references.map((reference) => ({ reference, action: 'revenue', outcome: 'revenue' })),
    { reference: '2026-02-20', action: 'revenue', outcome: null },
    { reference: '0000-01-01', action: 'revenue', outcome: null },
    { reference: '2026-02-20', action: 'deposit', outcome: 'balance' },
  ]
  await sql`
    insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference, asset,
      amount, payer, customer, confirmations_needed, state, outcome, credited_at)
    select '0x' || lpad(n::text, 64, '0'), 0, 0, 1, 'h', '2026-03-01T23:00:00Z', action, reference, 'HASH', 1, 'p', 'c', 1,
      case when outcome is null then 'recorded' else 'credited' end::chain_event_state, outcome,
      case when outcome is null then null else now() end
    from unnest(${rows.map(({ reference }) => reference)}::text[], ${rows.map(({ action }) => action)}::text[],
      ${rows.map(({ outcome }) => outcome)}::text[]) with ordinality as r(reference, action, outcome, n)`.execute(db)
  await sql.raw(await readFile(join(migrationsFolder, '0170_revenue_day.sql'), 'utf8')).execute(db)
  const found = await sql<{ day: string | null }>`select revenue_day as day from chain_payment order by id`.execute(db)
  expect(found.rows.map(({ day }) => day)).toEqual([
    '2026-01-29',
    '2026-03-02',
    '2026-02-20',
    '2026-03-02',
    '2026-02-20',
    null,
    null,
  ])
})
