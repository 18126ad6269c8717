import { transaction } from '../../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { addressOf, recordPayment } from '../../power/testing.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lastSettledBlock, paymentsAfter } from './followed-payments.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())
beforeEach(() => own.db.deleteFrom('chain_event').execute())

const at = new Date('2026-03-01T00:00:00Z')
const [alice, bob] = [addressOf(1), addressOf(2)]
const settled = { state: 'credited', outcome: 'withdrawal', credited_at: at } as const

type Payment = Partial<Parameters<typeof recordPayment>[1]>
let nth = 0n

/** A payment of the contract to Alice. */
function paid(block: bigint, payment: Payment = {}): Promise<bigint> {
  nth += 1n
  const tx_hash = `0x${nth.toString(16).padStart(64, '0')}`
  const facts = {
    reference: '',
    asset: 'USDT',
    amount: 5n,
    payer: addressOf(9),
    customer: alice,
    action: 'paid',
  } as const
  return recordPayment(own.db, { ...facts, block_number: block, tx_hash, ...payment })
}

const lastSettled = (final: bigint) => transaction(own.db, (tx) => lastSettledBlock(tx, final))
const later = (block: bigint) => transaction(own.db, (tx) => paymentsAfter(tx, block))

test('the block before the oldest payment that is not settled, where it is not after the final one', async () => {
  await paid(3n, settled)
  expect(await lastSettled(10n)).toBe(10n)
  await paid(12n)
  expect(await lastSettled(10n)).toBe(10n)
  // Payments of others are not the contract's to deduct.
  await paid(4n, { action: 'deposit' })
  expect(await lastSettled(10n)).toBe(10n)
  await paid(10n)
  expect(await lastSettled(10n)).toBe(9n)
  await paid(7n)
  await paid(8n)
  expect(await lastSettled(10n)).toBe(6n)
})

test('payments in later blocks count for their member and asset when the ledger has them', async () => {
  await paid(5n, settled)
  expect(await later(5n)).toEqual([])
  await paid(6n)
  await paid(6n, { ...settled, orphaned_at: at })
  await paid(6n, { ...settled, action: 'deposit', outcome: 'balance' })
  expect(await later(5n)).toEqual([])
  await paid(6n, { ...settled, amount: 7n })
  await paid(8n, { ...settled, amount: 11n })
  await paid(8n, { ...settled, asset: 'JU', amount: 2n })
  await paid(9n, { ...settled, customer: bob, amount: 3n })
  const found = (await later(5n)).toSorted((one, other) => Number(one.amount - other.amount))
  expect(found).toEqual([
    { to: alice, asset: 'JU', amount: 2n },
    { to: bob, asset: 'USDT', amount: 3n },
    { to: alice, asset: 'USDT', amount: 18n },
  ])
})
