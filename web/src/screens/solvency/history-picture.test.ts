import { HOUR_MS } from '@candela/protocol/units'
import { expect, test } from 'vitest'
import { historyPicture } from './history-picture.ts'

test('from nothing to 200 %, and what is more stands at the top', () => {
  const hours = ['0', '0.5', '1', '2', '900'].map((ratio, nth) => ({ at: nth * HOUR_MS, ratio }))
  const { points, pieces, whole } = historyPicture(hours)
  expect(points).toEqual([
    { x: 0, y: 100 },
    { x: 25, y: 75 },
    { x: 50, y: 50 },
    { x: 75, y: 0 },
    { x: 100, y: 0 },
  ])
  expect(whole).toBe(50)
  expect(pieces).toEqual([points])
})

test('no line is drawn over hours without a comparison', () => {
  const hours = [0, 1, 4, 5].map((hour) => ({ at: hour * HOUR_MS, ratio: '1.5' }))
  const { points, pieces } = historyPicture(hours)
  expect(pieces).toEqual([points.slice(0, 2), points.slice(2)])
  expect(historyPicture([])).toEqual({ points: [], pieces: [], whole: 50 })
})
