import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConfirmedPayment } from '../../chain/crediting/credit-payments.ts'
import { anyAmount, anyAsset, changesOf, legTexts } from '../testing-postings.ts'
import type { Destination } from './decide-receipts.ts'
import { receiptPosting } from './postings.ts'

const payment: ConfirmedPayment = {
  eventId: 1n,
  txHash: `0x${'1'.repeat(64)}`,
  logIndex: 5,
  txPosition: 2,
  blockNumber: 9n,
  blockAt: new Date('2026-03-01T00:00:00Z'),
  action: 'deposit',
  reference: '20260301-7K3M9QXTZC',
  revenueDay: null,
  asset: 'JU',
  amount: 7n,
  payer: '0xaa',
  customer: '0xbb',
}

const ends: { destination: Destination; account: string }[] = [
  { destination: { kind: 'deposit', memberId: 10_001n }, account: 'member 10001 memberAvailable' },
  { destination: { kind: 'unmatched', memberId: 10_002n }, account: 'member 10002 memberAvailable' },
  { destination: { kind: 'revenue' }, account: 'revenuePool' },
  { destination: { kind: 'suspense' }, account: 'suspense' },
]

describe('the posting of a receipt', () => {
  test.each(ends)('$destination.kind: out of custody, to $account', ({ destination, account }) => {
    const posting = receiptPosting(payment, destination)
    expect(posting.kind).toBe(destination.kind)
    expect(legTexts(posting.legs)).toEqual([['custody JU', `${account} JU`, 7n]])
    fc.assert(
      fc.property(anyAsset, anyAmount, (asset, amount) => {
        expect(changesOf(receiptPosting({ ...payment, asset, amount }, destination).legs)).toEqual({
          [`custody ${asset}`]: -amount,
          [`${account} ${asset}`]: amount,
        })
      }),
    )
  })

  test('says what the chain says, at the time of the block', () => {
    const posting = receiptPosting(payment, { kind: 'suspense' })
    expect(posting.memo).toEqual({
      action: 'deposit',
      reference: '20260301-7K3M9QXTZC',
      payer: '0xaa',
      customer: '0xbb',
      txHash: `0x${'1'.repeat(64)}`,
    })
    expect(posting.occurredAt).toEqual(new Date('2026-03-01T00:00:00Z'))
  })

  test('has the id of the log in its transaction, wherever the money ends and whichever block holds it', () => {
    const { id } = receiptPosting(payment, { kind: 'suspense' })
    for (const { destination } of ends) expect(receiptPosting(payment, destination).id).toBe(id)
    const moved = { ...payment, eventId: 2n, logIndex: 6, blockNumber: 10n, blockAt: new Date('2026-03-02T00:00:00Z') }
    expect(receiptPosting(moved, { kind: 'suspense' }).id).toBe(id)
    expect(receiptPosting({ ...payment, txPosition: 3 }, { kind: 'suspense' }).id).not.toBe(id)
    expect(receiptPosting({ ...payment, txHash: `0x${'2'.repeat(64)}` }, { kind: 'suspense' }).id).not.toBe(id)
  })
})
