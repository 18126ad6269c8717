import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PPM, WHOLE_UNIT } from '../units.ts'
import { creditLimit, type Offer, totalAssets } from './assets.ts'
import { maxDebt } from './lines.ts'
import { anyAmount, anyPrice } from './testing.ts'

const some = fc.oneof(fc.constant(0n), anyAmount)
const pair = fc.record({ JU: some, HASH: some })

const unbounded = { JU: 10n ** 60n, HASH: 10n ** 60n }

describe('total assets', () => {
  const nothing = { balances: { JU: 0n, HASH: 0n, USDT: 0n }, fund: 0n, collateral: { JU: 0n, HASH: 0n }, debt: 0n }
  const prices = { JU: 2n * WHOLE_UNIT, HASH: WHOLE_UNIT / 2n, USDT: WHOLE_UNIT }

  test('are balances, shares of the fund and collateral less debts', () => {
    const had = {
      balances: { JU: 3n * WHOLE_UNIT, HASH: 10n * WHOLE_UNIT, USDT: 7n * WHOLE_UNIT },
      fund: 20n * WHOLE_UNIT,
      collateral: { JU: WHOLE_UNIT, HASH: 2n * WHOLE_UNIT },
      debt: 4n * WHOLE_UNIT,
    }
    // 3 × 2 + 10 × 0.5 + 7 + 20 + 1 × 2 + 2 × 0.5 − 4
    expect(totalAssets(had, prices)).toBe(37n * WHOLE_UNIT)
    expect(totalAssets(nothing, prices)).toBe(0n)
    expect(totalAssets({ ...nothing, debt: 1n }, prices)).toBe(-1n)
  })

  test('do not change when something is pledged or lent', () => {
    fc.assert(
      fc.property(some, some, anyPrice, some, (free, pledged, price, lent) => {
        const before = { ...nothing, balances: { JU: free + pledged, HASH: 0n, USDT: 0n } }
        const after = {
          balances: { JU: free, HASH: 0n, USDT: lent },
          fund: 0n,
          collateral: { JU: pledged, HASH: 0n },
          debt: lent,
        }
        const now = { ...prices, JU: price }
        expect(totalAssets(after, now)).toBe(totalAssets(before, now))
      }),
    )
  })

  test('are unknown while something is had whose price is unknown, and only then', () => {
    const unknown = { ...prices, JU: null }
    expect(totalAssets(nothing, unknown)).toBe(0n)
    expect(totalAssets({ ...nothing, balances: { JU: 1n, HASH: 0n, USDT: 0n } }, unknown)).toBeNull()
    expect(totalAssets({ ...nothing, collateral: { JU: 1n, HASH: 0n } }, unknown)).toBeNull()
    expect(totalAssets({ ...nothing, collateral: { JU: 0n, HASH: 1n } }, { ...prices, HASH: null })).toBeNull()
  })
})

describe('the credit limit', () => {
  const anyOffer: fc.Arbitrary<Offer> = fc.record({
    collateralAsset: fc.constantFrom('JU' as const, 'HASH' as const),
    initial_ppm: fc.bigInt({ min: 1n, max: 900_000n }),
    available: some,
  })
  const anyOffers = fc.array(anyOffer, { maxLength: 6 })
  const anyPrices = fc.record({ JU: fc.option(anyPrice), HASH: fc.option(anyPrice) })

  test('pledges to the best offer first', () => {
    const offers: Offer[] = [
      { collateralAsset: 'JU', initial_ppm: 400_000n, available: 1_000n * WHOLE_UNIT },
      { collateralAsset: 'JU', initial_ppm: 500_000n, available: 10n * WHOLE_UNIT },
      { collateralAsset: 'HASH', initial_ppm: 900_000n, available: 1_000n * WHOLE_UNIT },
    ]
    const prices = { JU: WHOLE_UNIT, HASH: null }
    // 20 JU give the 10 USDT of the better offer, the other 80 give 40 %.
    const limit = creditLimit({ JU: 100n * WHOLE_UNIT, HASH: 5n }, prices, offers, 10n ** 30n, unbounded)
    expect(limit).toBe(42n * WHOLE_UNIT)
    expect(creditLimit({ JU: 100n * WHOLE_UNIT, HASH: 5n }, prices, offers, 7n, unbounded)).toBe(7n)
    const below = { JU: 11n * WHOLE_UNIT, HASH: 0n }
    expect(creditLimit({ JU: 100n * WHOLE_UNIT, HASH: 5n }, prices, offers, 10n ** 30n, below)).toBe(11n * WHOLE_UNIT)
  })

  test('is at most what each asset may secure at the best rate, what the projects have, and what is idle', () => {
    fc.assert(
      fc.property(pair, anyPrices, anyOffers, some, (available, prices, offers, idle) => {
        const limit = creditLimit(available, prices, offers, idle, unbounded)
        let most = 0n
        for (const asset of ['JU', 'HASH'] as const) {
          const own = offers.filter(({ collateralAsset }) => collateralAsset === asset)
          const best = own.reduce((rate, { initial_ppm }) => (initial_ppm > rate ? initial_ppm : rate), 0n)
          const offered = own.reduce((sum, offer) => sum + offer.available, 0n)
          const secured = maxDebt(available[asset], prices[asset] ?? 0n, best)
          most += secured < offered ? secured : offered
        }
        expect(limit >= 0n && limit <= (most < idle ? most : idle)).toBe(true)
      }),
    )
  })

  test('can be borrowed: its parts are within the initial rates of their offers', () => {
    fc.assert(
      fc.property(anyAmount, anyPrice, anyOffers, (pledgeable, price, drawn) => {
        const offers = drawn.map((offer) => ({ ...offer, collateralAsset: 'JU' as const }))
        const limit = creditLimit(
          { JU: pledgeable, HASH: 0n },
          { JU: price, HASH: null },
          offers,
          10n ** 40n,
          unbounded,
        )
        let [wanted, used] = [limit, 0n]
        for (const offer of offers.toSorted((one, other) => Number(other.initial_ppm - one.initial_ppm))) {
          const part = wanted < offer.available ? wanted : offer.available
          // ceil(part ÷ (price × rate))
          const worth = price * offer.initial_ppm
          used += (part * PPM * WHOLE_UNIT + worth - 1n) / worth
          wanted -= part
        }
        expect([wanted, used <= pledgeable]).toEqual([0n, true])
      }),
      { numRuns: 1_000 },
    )
  })

  test('grows with what is available, and an offer never lowers it', () => {
    fc.assert(
      fc.property(pair, some, anyPrices, anyOffers, anyOffer, (available, more, prices, offers, another) => {
        const limit = creditLimit(available, prices, offers, 10n ** 40n, unbounded)
        expect(
          creditLimit({ ...available, JU: available.JU + more }, prices, offers, 10n ** 40n, unbounded) >= limit,
        ).toBe(true)
        // But by one base unit of collateral for each offer, of which a base unit at 100,000 USDT is worth 100,000.
        const withAnother = creditLimit(available, prices, [...offers, another], 10n ** 40n, unbounded)
        expect(withAnother >= limit - 700_000n).toBe(true)
      }),
    )
  })
})
