import type { PostingKind } from '@candela/protocol/posting-kinds'
import { describe, expect, test } from 'vitest'
import { type Memo, parseMemo } from './memos.ts'

const receipt = { action: 'deposit', reference: 'D1', payer: '0xaa', customer: '0xbb', txHash: '0x1' }
const withdrawal = { withdrawalNo: 'W1', to: '0xaa' }

const memos: { [K in PostingKind]: Memo<K> } = {
  deposit: receipt,
  unmatched: receipt,
  revenue: receipt,
  suspense: receipt,
  assigned: { txHash: '0x1' },
  'desk-stock': { txHash: '0x1' },
  purchase: { orderNo: 'O1', payer: '0xaa', txHash: '0x1' },
  referral: { orderNo: 'O1', txHash: '0x1' },
  transfer: {
    transferNo: 'T1',
    from: '0xaa',
    fromUid: '10001',
    to: '0xbb',
    toUid: '10002',
    requestId: 'R1',
    deadline: '2026-03-01T00:05:00.000Z',
    signature: '0x1234',
  },
  exchange: { exchangeNo: 'E1', quoteNo: 'Q1', from: 'JU', to: 'USDT' },
  income: { day: '2026-03-01' },
  'service-fee': { day: '2026-03-01' },
  'withdrawal-hold': withdrawal,
  'withdrawal-release': withdrawal,
  'withdrawal-reverted': { ...withdrawal, txHash: '0x11' },
  withdrawal,
  reconciliation: { note: 'found', block: '9' },
  'fund-in': { amount: '5', assets: '100', shares: '99.5', pending: '0.01' },
  'fund-out': { amount: '5', assets: '100', shares: '99.5', pending: '0' },
  loan: { loanNo: 'L1' },
  repayment: { loanNo: 'L1', txHash: '0x1' },
  pledge: { loanNo: 'L1' },
  'pledge-return': { loanNo: 'L1' },
  'lever-open': { loanNo: 'L1' },
  'lever-close': { loanNo: 'L1' },
  interest: { day: '2026-03-01', loanNo: 'L1' },
  'late-charge': { day: '2026-03-01', loanNo: 'L1' },
  'interest-correction': { loanNo: 'L1', day: '2026-03-01', txHash: '0x1' },
  'interest-waiver': { loanNo: 'L1', day: '2026-03-01', txHash: '0x1' },
  liquidation: { loanNo: 'L1', liquidationNo: 'Q1' },
  'fund-earnings': { day: '2026-03-01' },
  deficit: { loanNo: 'L1' },
  'deficit-reserve': { loanNo: 'L1' },
  'deficit-fund': { loanNo: 'L1' },
  'fund-capital': { note: 'start' },
}

/** Parts that only some of a kind have. */
const optional: Readonly<Record<string, readonly string[]>> = { repayment: ['txHash'], interest: ['loanNo'] }

describe.each(Object.entries(memos))('%s', (kind, memo) => {
  test('is read as it was recorded', () => {
    expect(parseMemo(kind, JSON.parse(JSON.stringify(memo)))).toEqual({ kind, memo })
  })

  test('is null where any part is missing or no text', () => {
    for (const part of Object.keys(memo)) {
      if (optional[kind]?.includes(part)) continue
      expect(parseMemo(kind, { ...memo, [part]: undefined })).toEqual({ kind, memo: null })
      expect(parseMemo(kind, { ...memo, [part]: 1 })).toEqual({ kind, memo: null })
    }
  })
})

test.each([null, undefined, 'text', 7, [], {}])('a memo of another form is null: %j', (memo) => {
  expect(parseMemo('income', memo)).toEqual({ kind: 'income', memo: null })
})

test.each(['', 'Deposit', 'gift', 'toString', '__proto__'])('no posting has the kind %j', (kind) => {
  expect(() => parseMemo(kind, receipt)).toThrow(`no kind "${kind}"`)
})
