import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { platformAccount } from '../chart.ts'
import { post } from '../post.ts'
import { testMemo } from '../testing/testing-memo.ts'
import { countDays } from './count-days.ts'

test('after a dump was read into another cluster, whose transactions have low numbers, days are counted on', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const occurredAt = new Date('2026-03-01T12:00:00Z')
  const legs = [{ debit: platformAccount('custody', 'USDT'), credit: platformAccount('suspense', 'USDT'), amount: 1n }]
  await transaction(db, (tx) => post(tx, { id: randomUUID(), kind: 'deposit', legs, memo: testMemo(), occurredAt }))
  const noted = { next: 2n ** 40n, next_after: 2n ** 40n }
  const here = sql<bigint>`(select system_identifier from pg_control_system())`
  // In this cluster it waits for transactions that are still to come.
  await db
    .updateTable('ledger_day_mark')
    .set({ ...noted, cluster: here })
    .execute()
  expect(await transaction(db, (tx) => countDays(tx))).toBe(0)
  await db
    .updateTable('ledger_day_mark')
    .set({ ...noted, cluster: 1n })
    .execute()
  expect(await transaction(db, (tx) => countDays(tx))).toBe(1)
  expect(await db.selectFrom('ledger_day').select('day').where('day', '<', '2026-04-01').execute()).toEqual([
    { day: '2026-03-01' },
  ])
  const mark = db.selectFrom('ledger_day_mark').select(sql<boolean>`cluster = ${here}`.as('is_here'))
  expect(await mark.execute()).toEqual([{ is_here: true }])
})
