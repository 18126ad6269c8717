import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sqlState, transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { uuidFromName } from '../../kernel/ids.ts'
import { auditLedger } from '../audit.ts'
import { accountBalance } from '../balances.ts'
import { type AccountId, memberAccount, platformAccount } from '../chart.ts'
import { post } from '../post.ts'
import { postShares } from './share.ts'
import { testMemo } from '../testing/testing-memo.ts'

const pool = platformAccount('revenuePool', 'HASH')
const available = (member: number) => memberAccount(BigInt(member), 'memberAvailable', 'HASH')
const occurredAt = new Date('2026-03-01T00:00:00Z')

let own: TestDatabase
beforeEach(async () => {
  own = await createTestDatabase()
  const legs = [{ debit: platformAccount('custody', 'HASH'), credit: pool, amount: 100n }]
  await transaction(own.db, (tx) =>
    post(tx, { id: uuidFromName('fill'), kind: 'revenue', legs, memo: testMemo(), occurredAt }),
  )
})
afterEach(() => own.drop())

const share = (name: string, shares: [member: number, amount: number][], debit: AccountId = pool) =>
  transaction(own.db, (tx) =>
    postShares(tx, {
      id: uuidFromName(name),
      kind: 'income',
      memo: { day: '2026-03-01' },
      occurredAt,
      debit,
      credit: 'memberAvailable',
      shares: sql`select * from (values ${sql.join(shares.map(([member, amount]) => sql`(${member}::bigint, ${amount}::numeric)`))})
        as s (member_id, amount)`,
    }),
  )
const balances = (...members: number[]) =>
  Promise.all(members.map((member) => accountBalance(own.db, available(member))))

describe('sharing', () => {
  test('pays each member once out of one account, in any order of the query, and nothing for nothing', async () => {
    expect(
      await share('one', [
        [3, 30],
        [1, 10],
        [2, 0],
      ]),
    ).toEqual({ total: 40n, accounts: 2n })
    expect(await share('two', [[1, 5]])).toEqual({ total: 5n, accounts: 1n })
    expect(await share('none', [[1, 0]])).toEqual({ total: 0n, accounts: 0n })
    expect(await balances(1, 2, 3)).toEqual([15n, 0n, 30n])
    expect(await accountBalance(own.db, pool)).toBe(55n)
    expect(await auditLedger(own.db)).toEqual([])
  })

  test('is refused whole when there is not enough, for a known id, and for a member named twice', async () => {
    await share('known', [[1, 10]])
    const codes = await Promise.all(
      [
        share('much', [
          [1, 1],
          [2, 90],
        ]),
        share('known', [[1, 10]]),
        share('twice', [
          [1, 1],
          [1, 1],
        ]),
      ].map((attempt) => attempt.catch((error: unknown) => sqlState(error))),
    )
    expect(codes).toEqual(['23514', '23505', '22000'])
    expect(await balances(1, 2)).toEqual([10n, 0n])
    expect(await accountBalance(own.db, pool)).toBe(90n)
    expect(await auditLedger(own.db)).toEqual([])
  })

  test('of an account that never had anything is refused', async () => {
    const empty = platformAccount('deskInventory', 'HASH')
    await expect(share('empty', [[1, 1]], empty)).rejects.toThrow(`account ${empty} has nothing to share`)
  })

  test('needs a sound posting', async () => {
    const attempt = transaction(own.db, (tx) =>
      postShares(tx, {
        id: 'no-uuid',
        kind: 'income',
        memo: { day: '2026-03-01' },
        occurredAt,
        debit: pool,
        credit: 'memberAvailable',
        shares: sql`select 1::bigint as member_id, 1::numeric as amount`,
      }),
    )
    await expect(attempt).rejects.toThrow('not a lower-case UUID')
  })
})

describe('the function itself refuses', () => {
  const other = memberAccount(2n, 'memberAvailable', 'JU')
  const fees = platformAccount('fees', 'HASH')
  test.each<[string, AccountId, AccountId[], bigint[]]>([
    ['accounts out of order', pool, [available(2), available(1)], [1n, 1n]],
    ['an account twice', pool, [available(1), available(1)], [1n, 1n]],
    ['an amount of nothing', pool, [available(1), available(2)], [1n, 0n]],
    ['less than nothing', pool, [available(1), available(2)], [2n, -1n]],
    ['another asset', pool, [available(1), other], [1n, 1n]],
    ['fewer amounts than accounts', pool, [available(1), available(2)], [1n]],
    ['an account that is rolled up', pool, [fees, available(1)], [1n, 1n]],
    ['a source that is rolled up', platformAccount('custody', 'HASH'), [available(1)], [1n]],
    ['a source above its receivers', available(5), [available(1)], [1n]],
  ])('%s', async (name, debit, credits, amounts) => {
    const attempt = sql`select ledger_share(${uuidFromName(name)}::uuid, 'income', '{}', ${occurredAt}::timestamptz,
      ${debit}::bigint, ${credits}::bigint[], ${amounts}::numeric[])`.execute(own.db)
    await expect(attempt).rejects.toThrow('shares need positive amounts')
  })
})
