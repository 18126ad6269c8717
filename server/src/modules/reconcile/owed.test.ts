import { WHOLE_UNIT } from '@candela/protocol/units'
import { expect, test } from 'vitest'
import { lowestOf, ratio_ppm } from './owed.ts'

test('a ratio is rounded down, so that what is short by one base unit never reads as whole', () => {
  expect(ratio_ppm(WHOLE_UNIT - 1n, WHOLE_UNIT)).toBe(999_999n)
  expect(ratio_ppm(WHOLE_UNIT, WHOLE_UNIT)).toBe(1_000_000n)
  expect(ratio_ppm(0n, 1n)).toBe(0n)
  expect(ratio_ppm(5n, 0n)).toBeNull()
})

test('the lowest of the assets of which something is owed', () => {
  const lines = [
    { asset: 'JU', ratio: 3n },
    { asset: 'USDT', ratio: 2n },
    { asset: 'HASH', ratio: null },
  ] as const
  expect(lowestOf(lines)).toEqual({ asset: 'USDT', ratio: 2n })
  expect(lowestOf(lines.slice(2))).toBeNull()
})
