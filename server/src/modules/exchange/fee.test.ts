import { expect, test } from 'vitest'
import { feeAt } from './fee.ts'

test('each level up to V5 has 5 % more off the fee, and higher ones no more than V5', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map((level) => feeAt(3_000, level))).toEqual([
    { basePpm: 3_000, level: 0, discount: 0, feePpm: 3_000 },
    { basePpm: 3_000, level: 1, discount: 5, feePpm: 2_850 },
    { basePpm: 3_000, level: 2, discount: 10, feePpm: 2_700 },
    { basePpm: 3_000, level: 3, discount: 15, feePpm: 2_550 },
    { basePpm: 3_000, level: 4, discount: 20, feePpm: 2_400 },
    { basePpm: 3_000, level: 5, discount: 25, feePpm: 2_250 },
    { basePpm: 3_000, level: 6, discount: 25, feePpm: 2_250 },
  ])
})

test('a fee that is no whole number of millionths is rounded up', () => {
  expect(feeAt(1, 5).feePpm).toBe(1)
  expect(feeAt(101, 1).feePpm).toBe(96)
  expect(feeAt(0, 3).feePpm).toBe(0)
})
