import { expect, test } from 'vitest'
import { levelOf } from './level.ts'

test('each level begins at its amount of power and not before', () => {
  const starts: [number, number, number | null][] = [
    [0, 0, 10],
    [9, 0, 10],
    [10, 1, 100],
    [99, 1, 100],
    [100, 2, 500],
    [499, 2, 500],
    [500, 3, 1_000],
    [999, 3, 1_000],
    [1_000, 4, 5_000],
    [4_999, 4, 5_000],
    [5_000, 5, null],
    [1_000_000, 5, null],
  ]
  for (const [power, level, nextLevelAt] of starts) expect(levelOf(power)).toEqual({ level, nextLevelAt })
})
