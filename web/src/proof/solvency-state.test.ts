import { expect, test } from 'vitest'
import { solvencyState } from './solvency-state.ts'

const compared = (ratio: string | null, ageSeconds = 0) => ({
  ageSeconds,
  maxAgeSeconds: 600,
  lowest: ratio === null ? null : { ratio },
})

test('covered from 100% on, short by a millionth below it, and unknown when it is too old', () => {
  expect(solvencyState(compared('1'))).toBe('covered')
  expect(solvencyState(compared('0.999999'))).toBe('short')
  expect(solvencyState(compared(null))).toBe('covered')
  expect(solvencyState(compared('2', 600))).toBe('covered')
  expect(solvencyState(compared('2', 601))).toBe('old')
  expect(solvencyState(compared('0.5', 601))).toBe('old')
})
