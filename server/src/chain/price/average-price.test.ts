import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { averagePrice, broughtForward, deviates, isAfter, medianPrice, spotPrice } from './average-price.ts'

const Q112 = 2n ** 112n
const unit = 10n ** 18n
const at = (seconds: number | bigint) => new Date(Number(seconds) * 1000)

describe('spot', () => {
  test('is USDT per whole unit, rounded down', () => {
    expect(spotPrice({ assetReserve: 4n * unit, usdtReserve: 10n * unit })).toBe(25n * 10n ** 17n)
    expect(spotPrice({ assetReserve: 3n, usdtReserve: 2n })).toBe(666_666_666_666_666_666n)
    expect(() => spotPrice({ assetReserve: 0n, usdtReserve: 1n })).toThrow('empty pair')
  })
})

describe('deviation', () => {
  test('is more than the tolerance, either way', () => {
    expect(deviates(110n, 100n, 1000n)).toBe(false)
    expect(deviates(111n, 100n, 1000n)).toBe(true)
    expect(deviates(90n, 100n, 1000n)).toBe(false)
    expect(deviates(89n, 100n, 1000n)).toBe(true)
  })
})

/** Observations at prices that each lasted so many seconds. */
const lasting = (...prices: readonly (readonly [price: bigint, seconds: number])[]) => {
  let [time, cumulative] = [1_000, 0n]
  return [
    { at: at(time), cumulative },
    ...prices.map(([price, seconds]) => {
      time += seconds
      cumulative += price * Q112 * BigInt(seconds)
      return { at: at(time), cumulative }
    }),
  ]
}

describe('the median', () => {
  test('is the price that held for half of the time, not the average', () => {
    expect(medianPrice(lasting([5n, 100], [1n, 3], [5n, 100], [90n, 97]), at(1_000))).toBe(5n * unit)
    expect(medianPrice(lasting([5n, 100], [1n, 101]), at(1_000))).toBe(unit)
    expect(medianPrice(lasting([5n, 100], [1n, 100]), at(1_000))).toBe(unit)
  })

  test('weighs what is before the window by its part within', () => {
    // An hour at 5, of which 100 seconds are within, and then 120 at 1.
    const observed = lasting([5n, 3_600], [1n, 120])
    expect(medianPrice(observed, at(4_500))).toBe(unit)
    expect(medianPrice(observed, at(4_400))).toBe(5n * unit)
  })

  test('needs two observations', () => {
    expect(medianPrice([], at(0))).toBeNull()
    expect(medianPrice(lasting(), at(0))).toBeNull()
    expect(medianPrice([...lasting(), ...lasting()], at(0))).toBeNull()
  })
})

describe('the sum brought forward', () => {
  test('adds the price for the time since the last trade', () => {
    const pair = { assetReserve: 2n, usdtReserve: 6n, cumulativeLast: 5n, lastUpdate_s: 100n }
    expect(broughtForward(pair, 100n)).toBe(5n)
    expect(broughtForward(pair, 110n)).toBe(5n + 10n * 3n * Q112)
  })

  test('survives the end of 32-bit time and of 256 bits, as the pair does', () => {
    const pair = { assetReserve: 1n, usdtReserve: 1n, cumulativeLast: 2n ** 256n - Q112, lastUpdate_s: 2n ** 32n - 4n }
    expect(broughtForward(pair, 2n ** 32n + 6n)).toBe(9n * Q112)
  })

  test('a trade is after a time, also around the end of 32-bit time', () => {
    const end = 2n ** 32n
    const times: [lastUpdate_s: bigint, time_s: bigint][] = [
      [100n, 100n],
      [101n, 100n],
      [end - 4n, end + 6n],
      [6n, end - 4n],
    ]
    expect(times.map(([lastUpdate_s, time_s]) => isAfter(lastUpdate_s, time_s))).toEqual([false, true, false, true])
  })

  test('refuses an empty pair', () => {
    for (const reserves of [
      { assetReserve: 0n, usdtReserve: 6n },
      { assetReserve: 6n, usdtReserve: 0n },
    ]) {
      const pair = { ...reserves, cumulativeLast: 0n, lastUpdate_s: 0n }
      expect(() => broughtForward(pair, 1n)).toThrow(new RangeError('an empty pair has no price'))
    }
  })
})

const reserve = fc.bigInt({ min: 10n ** 6n, max: 2n ** 112n - 1n })
const period = fc.record({ asset: reserve, usdt: reserve, seconds: fc.bigInt({ min: 1n, max: 100_000n }) })
const history = fc.record({
  periods: fc.array(period, { minLength: 1, maxLength: 20 }),
  start_s: fc.bigInt({ min: 0n, max: 2n ** 33n }),
  sum: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
})

/** Lets a pair live through periods of constant reserves, as the contract does, and looks at the start and the end. */
function live({
  periods,
  start_s,
  sum,
}: {
  periods: { asset: bigint; usdt: bigint; seconds: bigint }[]
  start_s: bigint
  sum: bigint
}) {
  let [now_s, cumulative] = [start_s, sum]
  for (const { asset, usdt, seconds } of periods) {
    const pair = { assetReserve: asset, usdtReserve: usdt, cumulativeLast: cumulative, lastUpdate_s: now_s % 2n ** 32n }
    now_s += seconds
    cumulative = broughtForward(pair, now_s)
  }
  return { first: { at: at(start_s), cumulative: sum }, last: { at: at(now_s), cumulative } }
}

describe('the average', () => {
  test('of a constant price is that price, and needs time between the looks', () => {
    const first = { at: at(0), cumulative: 7n }
    const last = { at: at(60), cumulative: 7n + 60n * 5n * Q112 }
    expect(averagePrice(first, last)).toBe(5n * unit)
    expect(averagePrice(first, first)).toBeNull()
    expect(averagePrice(last, first)).toBeNull()
  })

  test('is the time-weighted mean of the prices, through every wrap', () => {
    fc.assert(
      fc.property(history, (past) => {
        const { first, last } = live(past)
        const seconds = past.periods.reduce((sum, one) => sum + one.seconds, 0n)
        const weighted = past.periods.reduce((sum, one) => sum + ((one.usdt * Q112) / one.asset) * one.seconds, 0n)
        expect(averagePrice(first, last)).toBe((weighted * unit) / (seconds * Q112))
      }),
    )
  })

  test('lies between the lowest and the highest spot price', () => {
    fc.assert(
      fc.property(history, (past) => {
        const { first, last } = live(past)
        const spots = past.periods.map((one) => spotPrice({ assetReserve: one.asset, usdtReserve: one.usdt }))
        const average = averagePrice(first, last) ?? -1n
        // Each period's fixed-point price is rounded down by less than one base unit of the result.
        expect(average).toBeGreaterThanOrEqual(spots.reduce((low, spot) => (spot < low ? spot : low)) - 1n)
        expect(average).toBeLessThanOrEqual(spots.reduce((high, spot) => (spot > high ? spot : high)))
      }),
    )
  })

  test('does not depend on where the sum stood at the start', () => {
    fc.assert(
      fc.property(history, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (past, sum) => {
        const [here, there] = [live(past), live({ ...past, sum })]
        expect(averagePrice(here.first, here.last)).toBe(averagePrice(there.first, there.last))
      }),
    )
  })
})
