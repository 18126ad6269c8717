import { transaction } from '@candela/server/db/open'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { withAnswers } from '@candela/server/db/testing-answers'
import { verifyOldest } from '@candela/server/ledger/audit/seal-range'
import { accountBalances } from '@candela/server/ledger/balances'
import { loanAccount } from '@candela/server/ledger/chart'
import { lockLoans, readDues, saveWarnings } from '@candela/server/modules/lending/loan/record/store'
import { lockPlans } from '@candela/server/modules/power/plans/plan'
import { readOwed } from '@candela/server/modules/reconcile/read-owed'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** More values than a statement may have parameters: 65,535. */
const MANY = 70_000

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase({ asOwner: true })
})
afterAll(() => own.drop())

const ids = Array.from({ length: MANY }, (_, nth) => BigInt(nth + 1))
const now = new Date('2026-03-01T12:00:00Z')

const tx = <T>(work: Parameters<typeof transaction<T>>[1]) => transaction(own.db, work)

test('the comparison of books and chain reads the debts of any number of borrowers', async () => {
  const debts = ids.map((member_id) => ({ member_id, debt: 2n, ju: 0n, hash: 3n }))
  const owing = withAnswers(own.db, 'from loan_with_debt', () => debts)
  const owed = await transaction(owing, (open) => readOwed(open, () => ({ received: 0n, paid: 0n }), now))
  expect(owed).toMatchObject({ USDT: { members: expect.any(BigInt) }, HASH: { members: expect.any(BigInt) } })
})

test('balances of any number of accounts, in their order', async () => {
  const accounts = ids.map((id) => loanAccount(id, 'loanPrincipal', 'USDT'))
  await own.db
    .insertInto('ledger_account')
    .values({ id: accounts.at(-1) ?? 0n, balance: -7n, version: 1n })
    .execute()
  const balances = await accountBalances(own.db, accounts)
  expect([balances.length, balances[0], balances.at(-1)]).toEqual([MANY, 0n, -7n])
})

test('any number of loans, due amounts and plans', async () => {
  expect(await tx((open) => lockLoans(open, ids))).toEqual([])
  expect((await readDues(own.db, ids)).size).toBe(MANY)
  await tx((open) => saveWarnings(open, ids, now))
  expect(await tx((open) => lockPlans(open, ids))).toEqual([])
})

test('any number of changed ranges is passed over by the audit', async () => {
  const digest = '0'.repeat(64)
  const { id } = await own.db
    .insertInto('ledger_audit_round')
    .values({ started_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const sealed = { postings: 0n, entries: 0n, digest, sealed_in: id, verified_in: id }
  await own.db
    .insertInto('ledger_audit_range')
    .values({ ...sealed, last_posting: 5n })
    .execute()
  expect(await tx((open) => verifyOldest(open, id + 1n, ids))).toBeNull()
  expect(await tx((open) => verifyOldest(open, id + 1n, ids.slice(5)))).toMatchObject({ range: 5n })
})
