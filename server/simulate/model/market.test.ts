import { expect, test } from 'vitest'
import { seededRandom } from '../run/random.ts'
import { Market } from './market.ts'

const WHOLE = 10n ** 18n

test('a swap gives what Uniswap V2 gives: 0.3 % of what comes in stays, and x × y does not fall', () => {
  const market = new Market(1_000_000n * WHOLE, WHOLE)
  // 1,000 × 0.997 × 1,000,000 ÷ (1,000,000 + 997)
  expect(market.buy(1_000n * WHOLE)).toEqual({ usdt: -1_000n * WHOLE, asset: 996_006_981_039_903_216_493n })
  expect(market.usdt).toBe(1_001_000n * WHOLE)
  const random = seededRandom(1)
  for (let product = market.asset * market.usdt, nth = 0; nth < 1_000; nth++) {
    const amount = BigInt(1 + random.below(1_000_000)) * 10n ** 15n
    if (random.chance(0.5)) market.buy(amount)
    else market.sell(amount)
    expect(market.asset * market.usdt).toBeGreaterThanOrEqual(product)
    product = market.asset * market.usdt
  }
})

test('a price is moved to, as far as the purse goes, and others bring it back to within the fee of what the asset is worth', () => {
  const market = new Market(1_000_000n * WHOLE, WHOLE)
  const poor = market.moveTo(2n * WHOLE, { usdt: 1_000n * WHOLE, asset: 0n })
  expect(poor.usdt).toBe(-1_000n * WHOLE)
  const pushed = market.moveTo(2n * WHOLE, { usdt: 1_000_000n * WHOLE, asset: 0n })
  expect(Number(market.price) / 1e18).toBeCloseTo(2, 2)
  expect(market.price * 997n).toBeGreaterThan(WHOLE * 1_000n)
  market.arbitrage(WHOLE)
  const isWithinFee = (fair: bigint) => market.price * 1_000n >= fair * 997n && market.price * 997n <= fair * 1_000n
  expect(isWithinFee(WHOLE)).toBe(true)
  // The one that pushed has lost what others gained.
  expect(pushed.usdt + poor.usdt + pushed.asset + poor.asset).toBeLessThan(-100_000n * WHOLE)
  market.arbitrage(2n * WHOLE)
  expect(isWithinFee(2n * WHOLE)).toBe(true)
})
