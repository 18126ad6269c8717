import type { ConfirmedPayment } from '@candela/server/chain/crediting/credit-payments'
import { insertPayments } from '@candela/server/chain/follow/record-blocks'
import { transaction } from '@candela/server/db/open'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { settleReceipts } from '@candela/server/modules/deposit/settle-receipts'
import { settleRepayments } from '@candela/server/modules/lending/loan/repay/settle-repayments'
import { settlePurchases } from '@candela/server/modules/power/settlement/settle-purchases'
import { settlePayouts } from '@candela/server/modules/withdraw/payout/settle-payouts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** More values than a statement may have parameters: 65,535. */
const MANY = 70_000

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())

const many = Array.from({ length: MANY }, (_, nth) => nth + 1)
const now = new Date('2026-03-01T12:00:00Z')
const hex = (value: number, digits: number) => `0x${value.toString(16).padStart(digits, '0')}`

const paymentsOf = (action: ConfirmedPayment['action']) =>
  many.map((nth): ConfirmedPayment => ({
    eventId: BigInt(nth),
    txHash: hex(nth, 64),
    logIndex: 0,
    txPosition: 0,
    blockNumber: 5n,
    blockAt: now,
    action,
    reference: action === 'paid' ? hex(nth, 64) : `R${nth}`,
    revenueDay: null,
    asset: 'USDT',
    amount: 1n,
    payer: hex(nth, 40),
    customer: hex(MANY + nth, 40),
  }))

const tx = <T>(work: Parameters<typeof transaction<T>>[1]) => transaction(own.db, work)

test('any number of payments is recorded, and compared with what is recorded', async () => {
  const payments = paymentsOf('deposit').map((payment) => ({ ...payment, blockHash: hex(5, 64) }))
  const rules = { confirmations: { normal: 3, large: 9, largeAbove: 1_000n }, valueInUsdt: () => null }
  await tx((open) => insertPayments(open, payments, rules))
  await tx((open) => insertPayments(open, payments, rules))
  const moved = payments.map((payment) => ({ ...payment, blockHash: hex(6, 64) }))
  await expect(tx((open) => insertPayments(open, moved, rules))).rejects.toThrow('is in block')
})

test('any number of payments is settled', async () => {
  const settlers = { deposit: settleReceipts, buyPower: settlePurchases, repay: settleRepayments }
  for (const [action, settle] of Object.entries(settlers)) {
    const payments = paymentsOf(action as keyof typeof settlers)
    const settled = await tx((open) => settle(open, payments, now))
    expect({ action, settled: settled.length }).toEqual({ action, settled: MANY })
  }
  await expect(tx((open) => settlePayouts(open, paymentsOf('paid'), now))).rejects.toThrow('is no withdrawal of ours')
})
