import { codes } from '@candela/protocol/codes/codes'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { describe, expect, test } from 'vitest'
import type { Price } from './price.ts'
import { higherPrice, limitPrice, lowerPrice, marginPrice } from './use-price.ts'

const price: Price = {
  asset: 'JU',
  average: 4n * WHOLE_UNIT,
  average5: 5n * WHOLE_UNIT,
  spot: 6n * WHOLE_UNIT,
  dayAverage: 4n * WHOLE_UNIT,
  windowSeconds: 1_800,
  pair: '0xaa',
  liquidity: WHOLE_UNIT,
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

describe('what counts against collateral', () => {
  test('is the higher of spot and the average of five minutes', () => {
    expect(marginPrice(price)).toBe(6n * WHOLE_UNIT)
    expect(marginPrice({ ...price, spot: WHOLE_UNIT })).toBe(5n * WHOLE_UNIT)
  })

  test.each(['deviation', 'halted'] as const)('also while the price is paused for %s', (pauseReason) => {
    expect(marginPrice({ ...price, paused: true, pauseReason })).toBe(6n * WHOLE_UNIT)
  })

  test.each([{ pauseReason: 'stale' as const }, { spot: null }, { average5: null }])('not when %o', (change) => {
    expect(() => marginPrice({ ...price, ...change })).toThrow(paused)
  })
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
