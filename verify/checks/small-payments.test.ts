import { expect, test } from 'vitest'
import { createReport } from '../report.ts'
import type { ChainFacts } from '../sources/chain-facts.ts'
import { checkSmallPayments, smallPaymentsForm } from './small-payments.ts'

const hash = (nth: number) => `0x${String(nth).padStart(64, '0')}`
const [payer, other] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]
const at = (nth: number, blockNumber: number) => ({ txHash: hash(nth), blockNumber, blockHash: hash(0), logIndex: 0 })
const paid = (nth: number, blockNumber: number, amount: bigint) =>
  ({ ...at(nth, blockNumber), asset: 'JU', amount, remark: '', payer, customer: other }) as const

/** Three payments of the day in JU, one of the day after, and a transfer of a token. */
const chain: ChainFacts = {
  head: { number: 99, hash: hash(9), timestamp: 0 },
  payments: [paid(1, 10, 5n), paid(2, 11, 7n), paid(3, 12, 9n * 10n ** 15n), paid(4, 20, 5n)],
  paid: [],
  arrived: [{ ...at(5, 13), asset: 'USDT', amount: 3n, from: payer, to: other }],
  days: [
    { day: '2026-03-01', first: 10, last: 19 },
    { day: '2026-03-02', first: 20, last: 29 },
  ],
}
const unit = '0.000000000000000001'
const file = {
  day: '2026-03-01',
  asset: 'JU',
  amount: '0.000000000000000012',
  items: [
    { txHash: hash(1), payer, amount: '0.000000000000000005' },
    { txHash: hash(2), payer, amount: '0.000000000000000007' },
  ],
}
function differences(change: object): string[] {
  const report = createReport(() => {})
  checkSmallPayments(report, smallPaymentsForm.parse({ ...file, ...change }), chain)
  return report.lines.filter(({ result }) => result === 'differs').map(({ subject }) => subject)
}

test('a sum is right when each of its payments is on chain on that day, and they are as much', () => {
  expect(differences({})).toEqual([])
  const [item] = file.items
  const token = {
    asset: 'USDT',
    amount: '0.000000000000000003',
    items: [{ ...item, txHash: hash(5), amount: '0.000000000000000003' }],
  }
  expect(differences(token)).toEqual([])
})

test('each lie about it is named', () => {
  const [first, second] = file.items
  const missing = '2026-03-01 JU that are not on chain'
  const total = '2026-03-01 JU sum'
  expect(differences({ amount: '0.000000000000000013' })).toEqual([total])
  expect(differences({ items: [first] })).toEqual([total])
  // Listed twice, of another payer, of another day, in another asset.
  expect(differences({ items: [first, first], amount: '0.00000000000000001' })).toEqual([missing])
  expect(differences({ items: [{ ...first, payer: other }, second] })).toEqual([missing])
  expect(differences({ items: [{ ...first, txHash: hash(4) }, second] })).toEqual([missing])
  expect(differences({ items: [{ ...first, amount: unit }, second] })).toEqual([missing, total])
  expect(differences({ asset: 'USDT' })).toEqual(['2026-03-01 USDT that are not on chain'])
  expect(differences({ day: '2026-04-01' })).toEqual(['2026-04-01 JU'])
  // One that is large enough to have a line of its own.
  const large = { txHash: hash(3), payer, amount: '0.009' }
  expect(differences({ items: [large], amount: '0.009' })).toEqual(['2026-03-01 JU of a whole step'])
})
