import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '../../db/testing.ts'
import { uuidFromName } from '../../kernel/ids.ts'
import { auditLedger } from '../audit.ts'
import { memberAccount, platformAccount } from '../chart.ts'
import { postBatch } from '../post.ts'
import { testMemo } from '../testing-memo.ts'

/** Faults that leave every sum as it was, beside those of `rules.test.ts`. Each is planted by force and rolled back. */

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  await transaction(own.db, (tx) =>
    postBatch(tx, [
      {
        id: uuidFromName('audited'),
        kind: 'deposit',
        legs: [{ debit: custody, credit: available, amount: 4n }],
        memo: testMemo(),
        occurredAt: new Date('2026-03-01T00:00:00Z'),
      },
    ]),
  )
})
afterAll(() => own.drop())

const custody = platformAccount('custody', 'USDT')
const available = memberAccount(90n, 'memberAvailable', 'USDT')

class RolledBack extends Error {}

/** The rules that do not hold after the fault. */
async function rulesBrokenBy(...faults: RawBuilder<unknown>[]): Promise<string[]> {
  let broken: string[] = []
  const attempt = transaction(own.db, async (tx) => {
    await sql`alter table ledger_entry disable trigger all`.execute(tx)
    for (const fault of faults) await fault.execute(tx)
    broken = [...new Set((await auditLedger(tx)).map(({ rule }) => rule))].toSorted()
    throw new RolledBack()
  })
  await expect(attempt).rejects.toThrow(RolledBack)
  return broken
}

test('a sound ledger has no findings', async () => {
  expect(await auditLedger(own.db)).toEqual([])
  expect(await rulesBrokenBy()).toEqual([])
})

test('a version that does not count the entries is found', async () => {
  const fault = sql`update ledger_entry set version = version + 1 where account = ${available}`
  expect(await rulesBrokenBy(fault)).toEqual(['running balance and version follow from the entries'])
})

test('a count of entries that does not fit the journal is found', async () => {
  const fault = sql`update ledger_account set version = version + 1 where id = ${available}`
  expect(await rulesBrokenBy(fault)).toEqual(['each balance is the sum of its entries'])
})

test.each(['balance', 'version'])('a running %s on a rolled-up account is found', async (column) => {
  const fault = sql`update ledger_entry set ${sql.ref(column)} = 1 where account = ${custody}`
  expect(await rulesBrokenBy(fault)).toEqual(['rolled-up entries carry no running balance'])
})

test('a floored account that was below zero is found, although everything else follows from the entries', async () => {
  const broken = await rulesBrokenBy(
    sql`update ledger_entry set amount = -amount, balance = -balance`,
    sql`update ledger_delta set amount = -amount`,
    sql`alter table ledger_account drop constraint ledger_account_floor`,
    sql`update ledger_account set balance = -balance`,
  )
  expect(broken).toEqual(['no floored account was ever below zero'])
})

test('what waits to be folded into an account with running balances is found', async () => {
  const fault = sql`insert into ledger_delta values (${available}, 0, 0)`
  expect(await rulesBrokenBy(fault)).toEqual(['only rolled-up accounts wait to be folded'])
})
