import { leverTermsOf } from '@candela/protocol/lending/lever/leverage'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { describe, expect, test } from 'vitest'
import { disagreementsOf } from './recompute-lever.ts'
import { safetyPriceOf } from './safety-price.ts'
import { type LeverQuote, ratioText } from './use-lever-quote.ts'

const terms = leverTermsOf({
  margin: toBaseUnits('100'),
  ratio_tenths: 25,
  buyPrice: toBaseUnits('1.003'),
  fee_ppm: 3_000n,
  debtPrice: toBaseUnits('0.998'),
  rate_ppm: 120_000n,
  days: 30,
  lines: { safety_ppm: 750_000n, clearing_ppm: 850_000n },
})
const quote: LeverQuote = {
  asset: 'JU',
  margin: '100',
  ratio: '2.5',
  loan: fromBaseUnits(terms.loan),
  total: fromBaseUnits(terms.total),
  buyPrice: '1.003',
  feePpm: 3_000,
  fee: fromBaseUnits(terms.fee),
  bought: fromBaseUnits(terms.bought),
  price: {
    asset: 'JU',
    used: '0.998',
    spot: '0.998',
    average: '1',
    dayAverage: '1',
    weekAverage: null,
    pair: '0x00000000000000000000000000000000000000aa',
    blockNumber: 7,
    observedAt: '2026-11-22T00:00:00.000Z',
  },
  rate: '0.12',
  interestPerDay: fromBaseUnits(terms.interestPerDay),
  interest: fromBaseUnits(terms.interest),
  repayment: fromBaseUnits(terms.repayment),
  dueOn: '2026-12-22',
  mortgageRate: fromBaseUnits(terms.rate ?? 0n, 6),
  safetyLine: '0.75',
  clearingLine: '0.85',
  status: terms.status,
  liquidationPrice: fromBaseUnits(terms.liquidationPrice),
  fall: fromBaseUnits(terms.fall, 6),
  risk: terms.risk,
}

describe('a quote computed again', () => {
  test('agrees: 2.5 times 100 borrows 150', () => {
    expect(quote.loan).toBe('150')
    expect(disagreementsOf(quote, 30)).toEqual([])
  })

  test('names each figure that is off by one base unit', () => {
    for (const figure of ['loan', 'bought', 'fee', 'interest', 'liquidationPrice'] as const) {
      const changed = fromBaseUnits(toBaseUnits(quote[figure]) + 1n)
      expect(disagreementsOf({ ...quote, [figure]: changed }, 30)).toEqual([figure])
    }
    expect(disagreementsOf({ ...quote, risk: 'low' }, 30)).toEqual(['risk'])
    expect(disagreementsOf({ ...quote, status: 'liquidating' }, 30)).toEqual(['status'])
  })
})

test('ratios are written as the service takes them', () => {
  expect([20, 25, 31, 40].map(ratioText)).toEqual(['2', '2.5', '3.1', '4'])
})

test('the safety line is reached at a higher price than the clearing line', () => {
  const safety = toBaseUnits(safetyPriceOf(quote) ?? '0')
  expect(safety).toBeGreaterThan(terms.liquidationPrice)
  // Prices at two lines are as the lines, up to one base unit.
  const difference = safety * 750_000n - terms.liquidationPrice * 850_000n
  expect(difference < 850_000n && difference > -850_000n).toBe(true)
})
