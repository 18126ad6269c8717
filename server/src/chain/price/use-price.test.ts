import { codes } from '@candela/protocol/codes/codes'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { describe, expect, test } from 'vitest'
import type { Price } from './price.ts'
import {
  higherPrice,
  isSpotAway,
  lendingPrice,
  leveragePrice,
  limitPrice,
  lowerPrice,
  marginPrice,
  salePrice,
} from './use-price.ts'

const price: Price = {
  asset: 'JU',
  average: 4n * WHOLE_UNIT,
  average5: 5n * WHOLE_UNIT,
  median5: 5n * WHOLE_UNIT,
  spot: 6n * WHOLE_UNIT,
  dayAverage: 4n * WHOLE_UNIT,
  weekAverage: 4n * WHOLE_UNIT,
  windowSeconds: 1_800,
  windowBlocks: null,
  pair: '0xaa',
  liquidity: WHOLE_UNIT,
  depth: null,
  blockNumber: 9n,
  observedAt: new Date('2026-03-01T00:00:00Z'),
  paused: false,
  pauseReason: 'none',
}
const paused = expect.objectContaining({ code: codes.pricePaused, params: { asset: 'JU' } })

describe('average and spot', () => {
  test('the lower for whoever gives the asset, the higher for whoever gets it', () => {
    expect([lowerPrice(price), higherPrice(price)]).toEqual([4n * WHOLE_UNIT, 6n * WHOLE_UNIT])
    const fallen = { ...price, spot: WHOLE_UNIT }
    expect([lowerPrice(fallen), higherPrice(fallen)]).toEqual([WHOLE_UNIT, 4n * WHOLE_UNIT])
  })

  test.each([{ paused: true }, { average: null }, { spot: null }, { average: 0n }, { spot: 0n }, { spot: -1n }])(
    'neither while there is none: %o',
    (change) => {
      expect(() => lowerPrice({ ...price, ...change })).toThrow(paused)
      expect(() => higherPrice({ ...price, ...change })).toThrow(paused)
    },
  )
})

const whole = (read: (price: Price) => bigint, change: Partial<Price>) =>
  Number(read({ ...price, ...change }) / WHOLE_UNIT)

describe('what collateral counts for new debt', () => {
  const four = {
    spot: 7n * WHOLE_UNIT,
    average: 6n * WHOLE_UNIT,
    dayAverage: 5n * WHOLE_UNIT,
    weekAverage: 4n * WHOLE_UNIT,
  }

  test.each(['spot', 'average', 'dayAverage', 'weekAverage'] as const)('is %s while that is the lowest', (lowest) => {
    expect(whole(lendingPrice, { ...four, [lowest]: 2n * WHOLE_UNIT })).toBe(2)
    expect(whole(lendingPrice, four)).toBe(4)
  })

  test('is the lowest without the week for what a leveraged loan buys', () => {
    expect(whole(leveragePrice, four)).toBe(5)
    for (const lowest of ['spot', 'average', 'dayAverage'] as const)
      expect(whole(leveragePrice, { ...four, [lowest]: 2n * WHOLE_UNIT })).toBe(2)
  })

  test.each([{ paused: true }, { dayAverage: null }, { dayAverage: 0n }])('is unknown when %o', (change) => {
    expect(() => lendingPrice({ ...price, ...change })).toThrow(paused)
    expect(() => leveragePrice({ ...price, ...change })).toThrow(paused)
  })

  test.each([{ weekAverage: null }, { weekAverage: 0n }])('is unknown for a project when %o', (change) => {
    expect(() => lendingPrice({ ...price, ...change })).toThrow(paused)
    expect(leveragePrice({ ...price, ...change })).toBe(4n * WHOLE_UNIT)
  })
})

describe('what decides about a line', () => {
  test('is the median of five minutes, whatever spot is', () => {
    expect(marginPrice(price)).toBe(5n * WHOLE_UNIT)
    expect(marginPrice({ ...price, spot: WHOLE_UNIT })).toBe(5n * WHOLE_UNIT)
  })

  test.each(['deviation', 'halted'] as const)('also while the price is paused for %s', (pauseReason) => {
    expect(marginPrice({ ...price, paused: true, pauseReason })).toBe(5n * WHOLE_UNIT)
    expect(salePrice({ ...price, paused: true, pauseReason })).toBe(4n * WHOLE_UNIT)
  })

  test.each([{ pauseReason: 'stale' as const }, { median5: null }, { median5: 0n }])('not when %o', (change) => {
    expect(() => marginPrice({ ...price, ...change })).toThrow(paused)
    expect(() => salePrice({ ...price, ...change })).toThrow(paused)
  })

  test('waits while spot is more than a tenth away, either way', () => {
    const at = (percent: bigint) => isSpotAway({ ...price, spot: (price.median5! * percent) / 100n })
    expect([at(89n), at(90n), at(100n), at(110n), at(111n)]).toEqual([true, false, false, false, true])
    expect([isSpotAway({ ...price, spot: null }), isSpotAway({ ...price, median5: null })]).toEqual([true, true])
  })
})

describe('what the desk pays for collateral that has to be sold', () => {
  const level = { spot: 9n, median5: 9n, average: 9n, dayAverage: 9n }
  const paid = (change: Partial<Price>) =>
    salePrice({
      ...price,
      ...Object.fromEntries(
        Object.entries({ ...level, ...change }).map(([name, at]) => [name, (at as bigint) * WHOLE_UNIT]),
      ),
    })

  test('is the lowest of spot, half an hour and a day', () => {
    expect(paid({})).toBe(9n * WHOLE_UNIT)
    for (const lowest of ['average', 'dayAverage'] as const) expect(paid({ [lowest]: 2n })).toBe(2n * WHOLE_UNIT)
    expect(paid({ spot: 18n, median5: 20n, average: 30n, dayAverage: 30n })).toBe(18n * WHOLE_UNIT)
  })

  test('is at most a tenth below the median, however far spot is pushed down', () => {
    expect(paid({ spot: 1n, median5: 10n })).toBe(9n * WHOLE_UNIT)
    expect(paid({ spot: 1n, median5: 1n })).toBe(1n * WHOLE_UNIT)
  })

  test.each([{ spot: null }, { average: null }, { dayAverage: null }, { average: 0n }])(
    'is unknown when %o',
    (change) => {
      expect(() => salePrice({ ...price, ...change })).toThrow(paused)
    },
  )
})

describe('what counts against limits', () => {
  test('is the average', () => {
    expect(limitPrice(price)).toEqual({ price: 4n * WHOLE_UNIT, isPaused: false })
  })

  test.each(['deviation', 'halted'] as const)(
    'is the highest that is known while the price is paused for %s',
    (pauseReason) => {
      const highest = (change: Partial<Price>) => limitPrice({ ...price, paused: true, pauseReason, ...change })
      expect(highest({})).toEqual({ price: 6n * WHOLE_UNIT, isPaused: true })
      for (const which of ['average', 'average5', 'spot', 'dayAverage'] as const)
        expect(highest({ [which]: 9n * WHOLE_UNIT })).toEqual({ price: 9n * WHOLE_UNIT, isPaused: true })
    },
  )

  test.each([{ pauseReason: 'stale' as const }, { average: null, pauseReason: 'noObservation' as const }])(
    'is unknown when %o',
    (change) => {
      expect(limitPrice({ ...price, paused: true, ...change })).toBeNull()
    },
  )
})
