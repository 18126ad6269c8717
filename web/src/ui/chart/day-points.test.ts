import { expect, test } from 'vitest'
import { dayPoints } from './day-points.ts'

const size = { width: 100, height: 50 }

test('the oldest price is at the left, the highest at the top', () => {
  expect(dayPoints([10n, 30n, 20n], size)).toEqual([
    { x: 0, y: 50 },
    { x: 50, y: 0 },
    { x: 100, y: 25 },
  ])
})

test('prices with 18 decimals that differ in the last ones are told apart', () => {
  const [first, last] = dayPoints([10n ** 18n, 10n ** 18n + 2n], size)
  expect([first?.y, last?.y]).toEqual([50, 0])
})

test('a constant price is a line in the middle, no price no point', () => {
  expect(dayPoints([7n, 7n], size).map(({ y }) => y)).toEqual([25, 25])
  expect(dayPoints([7n], size)).toEqual([{ x: 0, y: 25 }])
  expect(dayPoints([], size)).toEqual([])
})

test('with a lowest value of its own the picture begins there', () => {
  expect(dayPoints([0n, 10n, 5n], { ...size, lowest: 0n }).map(({ y }) => y)).toEqual([50, 0, 25])
  expect(dayPoints([5n, 5n], { ...size, lowest: 0n }).map(({ y }) => y)).toEqual([0, 0])
})
