import { expect, test } from 'vitest'
import { recomputeQuote } from './recompute-quote.ts'
import type { LoanQuote } from './use-loan-quote.ts'

const quote: LoanQuote = {
  amount: '365',
  collateralNeeded: '730.2',
  collateral: '800',
  collateralAvailable: '1000',
  price: {
    asset: 'JU',
    used: '1',
    spot: '1.01',
    average: '1',
    dayAverage: '1',
    weekAverage: '1',
    pair: '0x00000000000000000000000000000000000000aa',
    blockNumber: 7,
    observedAt: '2026-11-22T00:00:00.000Z',
  },
  rate: '0.1',
  interestPerDay: '0.1',
  interest: '3',
  repayment: '368',
  dueOn: '2026-12-22',
  mortgageRate: '0.456375',
  safetyPrice: '0.652',
  liquidationPrice: '0.570468',
  fall: '0.429531',
}

test('thirty days of 365 USDT at 10 % cost 3 USDT, and the first day is owed from the start', () => {
  const here = recomputeQuote(quote, { clearingLine: '0.8' }, 30)
  expect(here.interest).toBe(3n * 10n ** 18n)
  expect(here.repayment).toBe(368n * 10n ** 18n)
  // 365.1 ÷ 800
  expect(here.rate).toBe(456_375n)
  // 365.1 ÷ (800 × 0.8)
  expect(here.liquidationPrice).toBe(570_468_750_000_000_000n)
})
