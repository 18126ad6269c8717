import { planLiquidation } from '@candela/protocol/lending/liquidation'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { expect, test } from 'vitest'
import type { Liquidation } from './loan-types.ts'
import { disagreementsOf, liquidationFigures } from './recompute-liquidation.ts'

const terms = { fullBelow: '100' }
const planned = planLiquidation({
  reason: 'line',
  debt: { principal: toBaseUnits('800'), interest: toBaseUnits('1.5'), charges: 0n },
  collateral: toBaseUnits('1000'),
  watchPrice: toBaseUnits('0.99'),
  salePrice: toBaseUnits('0.97'),
  terms: { clearing_ppm: 800_000n, liquidationFee_ppm: 50_000n, fullBelow: toBaseUnits('100') },
  deskUsdt: toBaseUnits('100000'),
})
if (planned === null) throw new Error('The example is not liquidated')

const report: Liquidation = {
  liquidationNo: 'Q0000001',
  loanNo: 'L0000001',
  reason: 'line',
  full: planned.full,
  collateralAsset: 'JU',
  principal: '800',
  interest: '1.5',
  charges: '0',
  collateral: '1000',
  // floor(801.5 ÷ 990)
  mortgageRate: '0.809595',
  clearingLine: '0.8',
  watchPrice: '0.99',
  salePrice: '0.97',
  spot: '0.98',
  average5: '0.99',
  median5: null,
  average30: '0.97',
  averageDay: null,
  pair: '0x00000000000000000000000000000000000000aa',
  blockNumber: 7,
  observedAt: '2026-11-22T00:00:00.000Z',
  windowBlocks: null,
  deskUsdt: '100000',
  sold: fromBaseUnits(planned.sold),
  proceeds: fromBaseUnits(planned.proceeds),
  repaid: fromBaseUnits(planned.repaid),
  feeRate: '0.05',
  fee: fromBaseUnits(planned.fee),
  returned: fromBaseUnits(planned.returned),
  shortfall: fromBaseUnits(planned.shortfall),
  reservePaid: '0',
  fundLost: '0',
  incomplete: planned.incomplete,
  at: '2026-11-22T00:00:00.000Z',
}

test('a report that was computed so agrees in every figure', () => {
  expect(planned.full).toBe(false)
  expect(disagreementsOf(report, terms)).toEqual([])
})

test('with a median and a day, the median decides and the lowest of spot and averages is paid', () => {
  const later = { ...report, median5: '0.99', average5: '3', averageDay: '5' }
  expect(disagreementsOf(later, terms)).toEqual([])
  expect(disagreementsOf({ ...later, spot: '0.96' }, terms)).toContain('salePrice')
  expect(disagreementsOf({ ...later, averageDay: '0.96' }, terms)).toContain('salePrice')
  expect(disagreementsOf({ ...later, median5: '0.98' }, terms)).toContain('watchPrice')
  // However far spot was pushed down, the desk paid a tenth below the median.
  expect(disagreementsOf({ ...later, spot: '0.1', salePrice: '0.891' }, terms)).not.toContain('salePrice')
})

test('each figure that is off by one base unit is named', () => {
  for (const figure of [
    'sold',
    'proceeds',
    'repaid',
    'fee',
    'returned',
    'shortfall',
    'watchPrice',
    'salePrice',
  ] as const) {
    const changed = fromBaseUnits(toBaseUnits(report[figure]) + 1n)
    expect(disagreementsOf({ ...report, [figure]: changed }, terms)).toEqual([figure])
  }
  expect(disagreementsOf({ ...report, mortgageRate: '0.809596' }, terms)).toEqual(['mortgageRate'])
  expect(disagreementsOf({ ...report, full: true }, terms)).toEqual(['full'])
})

test('a loan that was below its line had nothing to be liquidated', () => {
  const below = { ...report, principal: '700', mortgageRate: '0.708585' }
  expect(disagreementsOf(below, terms)).toEqual(
    liquidationFigures.filter((figure) => !['mortgageRate', 'watchPrice', 'salePrice'].includes(figure)),
  )
})
