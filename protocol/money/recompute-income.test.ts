import { describe, expect, test } from 'vitest'
import { recomputeIncome } from './recompute-income.ts'

const names = { zh: '算力', tw: '算力', en: 'Power' }
const deposit = {
  txHash: `0x${'1'.repeat(64)}`,
  blockNumber: 7,
  at: '2026-03-02T00:00:00.000Z',
  payer: `0x${'2'.repeat(40)}`,
  amount: '100',
  forDay: '2026-03-01',
}
const day = {
  day: '2026-03-01',
  closed: true,
  revenue: '100',
  carriedIn: '0.000000000000000005',
  carriedOut: '0.000000000000000001',
  totalUnits: 7,
  unit: 'T',
  fee: '6.571428571428571428',
  paid: '93.428571428571428576',
  accounts: 2,
  plans: [
    { planId: '1', planName: names, feeRate: '0.05', units: 5, fee: '3.571428571428571428' },
    { planId: '2', planName: names, feeRate: '0.105', units: 2, fee: '3' },
  ],
  deposits: [deposit],
  closedAt: '2026-03-02T00:10:00.000Z',
}
const income = {
  amount: '39.142857142857142859',
  units: [
    { planId: '1', units: 1 },
    { planId: '2', units: 2 },
  ],
}

describe('a recomputed income', () => {
  test('is floor(pool × (1 − fee) × units ÷ total units), plan by plan', () => {
    const { parts, total, pool } = recomputeIncome(day, income)
    expect(pool).toBe(100_000_000_000_000_000_005n)
    expect(parts.map(({ share }) => share)).toEqual([13_571_428_571_428_571_429n, 25_571_428_571_428_571_429n])
    expect(total).toBe(39_142_857_142_857_142_858n)
  })

  test('reports each figure that differs, also by one base unit', () => {
    const of = (changed: Partial<typeof day>, amount = '39.142857142857142858') =>
      recomputeIncome({ ...day, fee: '6.571428571428571428', ...changed }, { ...income, amount }).disagreements
    const sound = { plans: day.plans, fee: '6.571428571428571428' }
    expect(of(sound, '39.142857142857142859')).toContain('amount')
    expect(of(sound)).not.toContain('amount')
    expect(of({ deposits: [{ ...deposit, amount: '99.999999999999999999' }] })).toContain('revenue')
    expect(of({ deposits: [] })).toContain('revenue')
    expect(of({ totalUnits: 8 })).toContain('units')
    expect(of({ fee: '6.5' })).toEqual(expect.arrayContaining(['fees', 'balance']))
    expect(of({ carriedOut: '0.000000000000000002' })).toContain('balance')
  })

  test('a day without revenue gives nothing, whatever earlier days left', () => {
    expect(recomputeIncome({ ...day, revenue: '0', deposits: [] }, income).total).toBe(0n)
  })
})
