import { codes } from '@candela/protocol/codes/codes'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { uuidFromName } from '../kernel/ids.ts'
import { type AccountId, memberAccount, platformAccount } from './chart.ts'
import { overdrawnError } from './overdrawn.ts'
import { post } from './post.ts'
import { testMemo } from './testing/testing-memo.ts'

const available = memberAccount(1n, 'memberAvailable', 'USDT')
const desk = platformAccount('deskInventory', 'JU')

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  await move('stock of a member', platformAccount('custody', 'USDT'), available, (5n * WHOLE_UNIT) / 2n)
  await move('stock of the desk', platformAccount('custody', 'JU'), desk, WHOLE_UNIT)
})
afterAll(() => own.drop())

const move = (name: string, debit: AccountId, credit: AccountId, amount: bigint) =>
  transaction(own.db, (tx) =>
    post(tx, {
      id: uuidFromName(name),
      kind: 'deposit',
      legs: [{ debit, credit, amount }],
      memo: testMemo(),
      occurredAt: new Date('2026-03-01T00:00:00Z'),
    }),
  )

test('a member who is short is told the asset and what is available', async () => {
  await expect(move('too much', available, platformAccount('fees', 'USDT'), 3n * WHOLE_UNIT)).rejects.toMatchObject({
    code: codes.notEnoughBalance,
    params: { asset: 'USDT', available: '2.5' },
  })
})

test('a member who never had the asset is told that nothing is available', async () => {
  const error = await overdrawnError(own.db, memberAccount(2n, 'memberAvailable', 'HASH'))
  expect(error).toMatchObject({ code: codes.notEnoughBalance, params: { asset: 'HASH', available: '0' } })
})

test('of a desk that is short only the asset is told, not what it has', async () => {
  const error = await move(
    'too much for the desk',
    desk,
    memberAccount(1n, 'memberAvailable', 'JU'),
    2n * WHOLE_UNIT,
  ).catch((e: unknown) => e)
  expect(error).toMatchObject({ code: codes.deskShort })
  expect(error).toHaveProperty('params', { asset: 'JU' })
})

test.each(['suspense', 'revenuePool'] as const)('%s that is short is our fault', async (name) => {
  const error = await overdrawnError(own.db, platformAccount(name, 'HASH'))
  expect(error.code).toBe(codes.ourFault)
  expect(error.params).toEqual({ asset: 'HASH' })
})
