import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { exchangeAt, minReceivedFor } from './exchange.ts'
import { PPM } from '../units.ts'

const price = fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 6n }), fc.bigInt({ min: 10n ** 12n, max: 10n ** 24n }))
const amount = fc.oneof(fc.bigInt({ min: 1n, max: 1_000n }), fc.bigInt({ min: 1n, max: 10n ** 30n }))
const feePpm = fc.oneof(
  fc.constantFrom(0n, 2_250n, 2_400n, 2_550n, 2_700n, 2_850n, 3_000n),
  fc.bigInt({ min: 0n, max: PPM }),
)

test('received is at most the exact value less the fee, and less than one unit below it; the parts add up', () => {
  fc.assert(
    fc.property(amount, price, price, feePpm, (amountIn, fromPrice, toPrice, fee) => {
      const out = exchangeAt({ amountIn, fromPrice, toPrice, feePpm: fee })
      // Over one common denominator, so that nothing is rounded here.
      const denominator = toPrice * PPM
      const exact = amountIn * fromPrice * (PPM - fee)
      expect(out.received * denominator <= exact).toBe(true)
      expect((out.received + 1n) * denominator > exact).toBe(true)
      const exactGross = amountIn * fromPrice
      expect(out.gross * toPrice <= exactGross && (out.gross + 1n) * toPrice > exactGross).toBe(true)
      expect(out.received + out.fee).toBe(out.gross)
      expect(out.fee >= 0n).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('exchanging there and back never gains, at any two prices of the desk: it takes at the lower and gives at the higher', () => {
  const sides = fc.tuple(price, price)
  fc.assert(
    fc.property(amount, sides, sides, feePpm, (amountIn, [a1, a2], [b1, b2], fee) => {
      const [aLow, aHigh] = a1 < a2 ? [a1, a2] : [a2, a1]
      const [bLow, bHigh] = b1 < b2 ? [b1, b2] : [b2, b1]
      const there = exchangeAt({ amountIn, fromPrice: aLow, toPrice: bHigh, feePpm: fee })
      const back = exchangeAt({ amountIn: there.received, fromPrice: bLow, toPrice: aHigh, feePpm: fee })
      expect(back.received <= amountIn).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('many small exchanges give no more than one large exchange', () => {
  fc.assert(
    fc.property(
      fc.array(amount, { minLength: 1, maxLength: 20 }),
      price,
      price,
      feePpm,
      (parts, fromPrice, toPrice, fee) => {
        const of = (amountIn: bigint) => exchangeAt({ amountIn, fromPrice, toPrice, feePpm: fee }).received
        const pieces = parts.reduce((sum, part) => sum + of(part), 0n)
        expect(pieces <= of(parts.reduce((sum, part) => sum + part, 0n))).toBe(true)
      },
    ),
  )
})

test('the minimum that is agreed to is never more than what was promised', () => {
  expect(minReceivedFor(1_000_000n)).toBe(995_000n)
  expect([minReceivedFor(0n), minReceivedFor(1n)]).toEqual([0n, 0n])
})

test('impossible terms are refused', () => {
  const terms = { amountIn: 1n, fromPrice: 1n, toPrice: 1n, feePpm: 0n }
  for (const wrong of [{ amountIn: -1n }, { fromPrice: -1n }, { toPrice: 0n }, { feePpm: -1n }, { feePpm: PPM + 1n }]) {
    expect(() => exchangeAt({ ...terms, ...wrong })).toThrow(RangeError)
  }
})
