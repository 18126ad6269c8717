import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { expect, test } from 'vitest'
import { recomputeTotal } from './total-assets.tsx'

const overview: Data<'GET home/overview'> = {
  level: 1,
  totalAssets: '40.5',
  accountBalance: '120.5',
  creditLimit: '0',
  loanAmount: '130',
  financialAmount: '20',
  balances: { JU: '100', USDT: '20.5', HASH: '0' },
  collateral: { JU: '30', HASH: '0' },
  prices: { JU: '1', USDT: '1', HASH: null },
  mortgage: null,
  openLoans: 1,
  nextRepayment: null,
}

test('balances, collateral and fund less what is owed', () => {
  expect(fromBaseUnits(recomputeTotal(overview) ?? 0n)).toBe('40.5')
})

test('an unknown price matters only for what is had', () => {
  expect(recomputeTotal({ ...overview, collateral: { JU: '30', HASH: '0.1' } })).toBeNull()
  expect(recomputeTotal({ ...overview, prices: { ...overview.prices, JU: null } })).toBeNull()
})
