import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, sqlState, transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { uuidFromName } from '../../kernel/ids.ts'
import { auditLedger } from '../audit.ts'
import { accountBalance } from '../balances.ts'
import { memberAccount, platformAccount } from '../chart.ts'
import { post } from '../post.ts'
import { postShares } from './share.ts'
import { testMemo } from '../testing/testing-memo.ts'

const pool = platformAccount('revenuePool', 'HASH')
const available = (member: bigint) => memberAccount(member, 'memberAvailable', 'HASH')
const occurredAt = new Date('2026-03-01T00:00:00Z')

let own: TestDatabase
let db: Database
let nth = 0
beforeAll(async () => {
  own = await createTestDatabase()
  db = own.db
})
afterAll(() => own.drop())
beforeEach(async () => {
  nth += 1
  const left = await accountBalance(db, pool)
  const legs = [{ debit: platformAccount('custody', 'HASH'), credit: pool, amount: 100n - left }]
  const id = uuidFromName(`fill ${nth}`)
  if (left < 100n) await transaction(db, (tx) => post(tx, { id, kind: 'revenue', legs, memo: testMemo(), occurredAt }))
})

/** Shares by member, in the order given. */
const share = (shares: readonly [bigint, bigint][], name = `share ${nth}`) =>
  transaction(db, (tx) =>
    postShares(tx, {
      id: uuidFromName(name),
      kind: 'income',
      memo: { day: '2026-03-01' },
      occurredAt,
      debit: pool,
      credit: 'memberAvailable',
      shares: sql`select * from unnest(${shares.map(([member]) => member)}::bigint[],
        ${shares.map(([, amount]) => amount)}::numeric[]) as s(member_id, amount)`,
    }),
  )

test('each gets its share out of the pool, and who is due nothing has no entry', async () => {
  expect(
    await share([
      [3n, 30n],
      [1n, 10n],
      [2n, 0n],
    ]),
  ).toEqual({ total: 40n, accounts: 2n })
  expect(await Promise.all([1n, 2n, 3n].map((member) => accountBalance(db, available(member))))).toEqual([10n, 0n, 30n])
  expect(await accountBalance(db, pool)).toBe(60n)
  expect(await auditLedger(db)).toEqual([])
})

test('nothing to share posts nothing', async () => {
  expect(await share([[1n, 0n]])).toEqual({ total: 0n, accounts: 0n })
  expect(await share([])).toEqual({ total: 0n, accounts: 0n })
  expect(await accountBalance(db, pool)).toBe(100n)
})

test('the same id a second time, and more than there is, are refused whole', async () => {
  await share([[7n, 1n]], 'once')
  await expect(share([[7n, 1n]], 'once')).rejects.toSatisfy((error) => sqlState(error) === '23505')
  const tooMuch = share([
    [8n, 1n],
    [9n, 99n],
  ])
  await expect(tooMuch).rejects.toSatisfy((error) => sqlState(error) === '23514')
  expect(await Promise.all([7n, 8n, 9n].map((member) => accountBalance(db, available(member))))).toEqual([1n, 0n, 0n])
  expect(await auditLedger(db)).toEqual([])
})

test('the database refuses shares that it could not lock in order, that are nothing, or of another asset', async () => {
  const direct = (debit: bigint, credits: readonly bigint[], amounts: readonly bigint[]) =>
    sql`select ledger_share(${uuidFromName(`direct ${nth}`)}::uuid, 'income', '{}', ${occurredAt}, ${debit}::bigint,
      ${credits}::bigint[], ${amounts}::numeric[])`.execute(db)
  const [one, two] = [available(11n), available(12n)]
  const refused: [bigint, bigint[], bigint[]][] = [
    [pool, [two, one], [1n, 1n]],
    [pool, [one, one], [1n, 1n]],
    [pool, [one, two], [1n, 0n]],
    [pool, [one], [1n, 1n]],
    [pool, [memberAccount(11n, 'memberAvailable', 'USDT')], [1n]],
    [pool, [platformAccount('fees', 'HASH')], [1n]],
    [platformAccount('fees', 'HASH'), [one], [1n]],
    [two, [one], [1n]],
  ]
  for (const [debit, credits, amounts] of refused) {
    await expect(direct(debit, credits, amounts), credits.join(' ')).rejects.toSatisfy((e) => sqlState(e) === '22000')
  }
  await direct(pool, [one, two], [1n, 2n])
  expect(await accountBalance(db, two)).toBe(2n)
  const never = direct(platformAccount('suspense', 'HASH'), [one], [1n])
  await expect(never).rejects.toThrow('has nothing to share')
  expect(await auditLedger(db)).toEqual([])
})
