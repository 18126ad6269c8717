import { array, assert, bigInt, property } from 'fast-check'
import { expect, test } from 'vitest'
import { sharePercents } from './share-percents.ts'

test('shares add up to 100 percent, and none is off by a tenth', () => {
  expect(sharePercents([40n, 25n])).toEqual([615n, 385n])
  expect(sharePercents([1n, 1n, 1n])).toEqual([334n, 333n, 333n])
  const values = array(bigInt({ min: 0n, max: 10n ** 30n }), { minLength: 1 }).filter((each) =>
    each.some((value) => value > 0n),
  )
  assert(
    property(values, (parts) => {
      const [whole, shares] = [parts.reduce((sum, part) => sum + part), sharePercents(parts)]
      expect(shares.reduce((sum, share) => sum + share)).toBe(1_000n)
      for (const [index, share] of shares.entries()) {
        const off = share * whole - (parts[index] ?? 0n) * 1_000n
        expect(off < whole && -off < whole).toBe(true)
      }
    }),
  )
})
