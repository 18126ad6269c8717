import { actionKeys } from '@candela/protocol/chain/action-data'
import { assetCodes } from '@candela/protocol/money/assets'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConfirmedPayment } from '../../chain/crediting/credit-payments.ts'
import { accountParts } from '../../ledger/chart.ts'
import { decideReceipt } from './decide-receipts.ts'
import { receiptPosting } from './postings.ts'

const [ALICE, BOB, STRANGER] = ['0xaa', '0xbb', '0xcc']
const members = new Map([
  [ALICE, 1n],
  [BOB, 2n],
])
const memberOf = (address: string) => members.get(address)

const receipt: ConfirmedPayment = {
  eventId: 1n,
  txHash: `0x${'1'.repeat(64)}`,
  logIndex: 5,
  txPosition: 0,
  blockNumber: 9n,
  blockAt: new Date('2026-03-01T00:00:00Z'),
  action: 'deposit',
  reference: '',
  revenueDay: null,
  asset: 'HASH',
  amount: 7n,
  payer: ALICE,
  customer: ALICE,
}
const decide = (change: Partial<ConfirmedPayment>) => decideReceipt({ ...receipt, ...change }, memberOf)

describe('where a receipt ends', () => {
  test('a deposit: with the member it names, else with its payer, else in suspense', () => {
    expect(decide({ customer: BOB })).toEqual({ kind: 'deposit', memberId: 2n })
    expect(decide({ payer: STRANGER, customer: BOB })).toEqual({ kind: 'deposit', memberId: 2n })
    expect(decide({ customer: STRANGER })).toEqual({ kind: 'deposit', memberId: 1n })
    expect(decide({ payer: STRANGER, customer: STRANGER })).toEqual({ kind: 'suspense' })
  })

  test('a plain native transfer: with its sender, else in suspense', () => {
    expect(decide({ action: 'native' })).toEqual({ kind: 'deposit', memberId: 1n })
    expect(decide({ action: 'native', payer: STRANGER, customer: STRANGER })).toEqual({ kind: 'suspense' })
  })

  test('a day’s revenue, whoever sends it; without a day that counts it goes back to its payer', () => {
    const revenue = { action: 'revenue', reference: '2026-02-28', revenueDay: '2026-02-28' } as const
    expect(decide({ ...revenue, payer: STRANGER })).toEqual({ kind: 'revenue' })
    expect(decide({ ...revenue, revenueDay: null })).toEqual({ kind: 'unmatched', memberId: 1n })
    expect(decide({ ...revenue, revenueDay: null, payer: STRANGER })).toEqual({ kind: 'suspense' })
  })

  test.each(['buyPower', 'repay', 'unknown'] as const)(
    '%s without a use: back to the payer, never the customer',
    (action) => {
      expect(decide({ action, customer: BOB })).toEqual({ kind: 'unmatched', memberId: 1n })
      expect(decide({ action, payer: STRANGER, customer: BOB })).toEqual({ kind: 'suspense' })
    },
  )
})

const anyReceipt = fc.record({
  action: fc.constantFrom(...actionKeys, 'unknown' as const),
  asset: fc.constantFrom(...assetCodes),
  amount: fc.bigInt(1n, 2n ** 200n),
  payer: fc.constantFrom(ALICE, BOB, STRANGER),
  customer: fc.constantFrom(ALICE, BOB, STRANGER),
  reference: fc.string({ unit: 'grapheme-ascii', maxLength: 128 }),
  revenueDay: fc.constantFrom(null, '2026-01-01'),
  blockAt: fc.date({ noInvalidDate: true }),
  logIndex: fc.nat(),
})

test('property: the whole amount leaves custody for one account, which is never that of a third person', () => {
  fc.assert(
    fc.property(anyReceipt, (change) => {
      const payment = { ...receipt, ...change }
      const { legs } = receiptPosting(payment, decideReceipt(payment, memberOf))
      expect(legs).toHaveLength(1)
      const [leg] = legs
      if (leg === undefined) return
      expect(leg.amount).toBe(payment.amount)
      expect(accountParts(leg.debit)).toEqual({ memberId: undefined, name: 'custody', asset: payment.asset })
      const { memberId, name, asset } = accountParts(leg.credit)
      expect(asset).toBe(payment.asset)
      if (memberId === undefined) expect(['suspense', 'revenuePool']).toContain(name)
      else expect([members.get(payment.payer), members.get(payment.customer)]).toContain(memberId)
    }),
  )
})

test('property: what a reorganisation changes (log index, block, time) does not change the posting', () => {
  fc.assert(
    fc.property(anyReceipt, fc.nat(), fc.date({ noInvalidDate: true }), (change, logIndex, blockAt) => {
      const payment = { ...receipt, ...change }
      const moved = { ...payment, logIndex, blockAt, blockNumber: 10n }
      const posting = receiptPosting(payment, decideReceipt(payment, memberOf))
      const again = receiptPosting(moved, decideReceipt(moved, memberOf))
      expect(again).toEqual({ ...posting, occurredAt: blockAt })
    }),
  )
})
