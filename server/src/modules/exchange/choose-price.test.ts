import { codes } from '@candela/protocol/codes/codes'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { expect, test } from 'vitest'
import type { Price } from '../../chain/price/price.ts'
import { choosePrice } from './choose-price.ts'

const price: Price = {
  asset: 'JU',
  average: 2n * WHOLE_UNIT,
  average5: 2n * WHOLE_UNIT,
  median5: 2n * WHOLE_UNIT,
  spot: 3n * WHOLE_UNIT,
  dayAverage: 2n * WHOLE_UNIT,
  weekAverage: 2n * WHOLE_UNIT,
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
const used = (change: Partial<Price>, desk: 'takes' | 'gives') => {
  const chosen = choosePrice({ ...price, ...change }, desk)
  return [chosen.used / WHOLE_UNIT, chosen.evidence.side]
}

test('the desk takes at the lower and gives at the higher of average and spot', () => {
  expect(used({}, 'takes')).toEqual([2n, 'average'])
  expect(used({}, 'gives')).toEqual([3n, 'spot'])
  expect(used({ spot: WHOLE_UNIT }, 'takes')).toEqual([1n, 'spot'])
  expect(used({ spot: WHOLE_UNIT }, 'gives')).toEqual([2n, 'average'])
  expect(used({ spot: 2n * WHOLE_UNIT }, 'takes')).toEqual([2n, 'average'])
  expect(used({ asset: 'USDT' }, 'takes')).toEqual([2n, 'unit'])
})

test('shows what the price was chosen from', () => {
  expect(choosePrice(price, 'takes').evidence).toEqual({
    asset: 'JU',
    used: '2',
    side: 'average',
    average: '2',
    spot: '3',
    windowSeconds: 1_800,
    pair: '0xaa',
    blockNumber: 9,
    observedAt: '2026-03-01T00:00:00.000Z',
  })
  expect(choosePrice({ ...price, blockNumber: null, observedAt: null }, 'takes').evidence).toMatchObject({
    blockNumber: null,
    observedAt: null,
  })
})

test.each([{ paused: true }, { average: null }, { spot: null }, { average: 0n }, { spot: 0n }, { spot: -1n }])(
  'there is no price: %o',
  (change) => {
    const refusal = expect.objectContaining({ code: codes.pricePaused, params: { asset: 'JU' } })
    expect(() => choosePrice({ ...price, ...change }, 'gives')).toThrow(refusal)
  },
)
