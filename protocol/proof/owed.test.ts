import { WHOLE_UNIT } from '../units.ts'
import { expect, test } from 'vitest'
import { takenForDebt } from './owed.ts'

const prices = { JU: 2n * WHOLE_UNIT, HASH: WHOLE_UNIT / 2n }
const has = (usdt: bigint, JU: bigint, HASH: bigint) => ({
  usdt: usdt * WHOLE_UNIT,
  collateral: { JU: JU * WHOLE_UNIT, HASH: HASH * WHOLE_UNIT },
})
const taken = (USDT: bigint, JU: bigint, HASH: bigint) => ({
  JU: JU * WHOLE_UNIT,
  USDT: USDT * WHOLE_UNIT,
  HASH: HASH * WHOLE_UNIT,
})

const debt = (whole: bigint) => whole * WHOLE_UNIT

test('a debt takes USDT first, then collateral at its price, and never more than there is', () => {
  expect(takenForDebt({ ...has(100n, 10n, 40n), debt: debt(0n) }, prices)).toEqual(taken(0n, 0n, 0n))
  expect(takenForDebt({ ...has(100n, 10n, 40n), debt: debt(60n) }, prices)).toEqual(taken(60n, 0n, 0n))
  expect(takenForDebt({ ...has(100n, 10n, 40n), debt: debt(110n) }, prices)).toEqual(taken(100n, 5n, 0n))
  expect(takenForDebt({ ...has(100n, 10n, 40n), debt: debt(130n) }, prices)).toEqual(taken(100n, 10n, 20n))
  expect(takenForDebt({ ...has(100n, 10n, 40n), debt: debt(900n) }, prices)).toEqual(taken(100n, 10n, 40n))
})

test('where a price is unknown nothing is taken, and what is taken is rounded down', () => {
  const debtor = { ...has(0n, 10n, 40n), debt: 5n * WHOLE_UNIT }
  expect(takenForDebt(debtor, { ...prices, JU: null })).toEqual(taken(0n, 0n, 10n))
  expect(takenForDebt(debtor, { JU: null, HASH: null })).toEqual(taken(0n, 0n, 0n))
  expect(takenForDebt({ ...debtor, debt: 1n }, prices).JU).toBe(0n)
})
