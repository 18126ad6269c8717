import { expect, test } from 'vitest'
import { countedAt, stoodSince } from './standstill.ts'

const at = (time: string) => new Date(`2026-03-${time}Z`)
/** The last first: six hours over midnight, and two hours a block later. */
const stood = [
  { from: at('02T02:00:05'), to: at('02T04:00:05') },
  { from: at('01T20:00:00'), to: at('02T02:00:00') },
]

test('from the first new block on, and for as long as the chain stood, what is done counts as so much earlier', () => {
  const [, six] = stood
  const one = six === undefined ? [] : [six]
  expect(countedAt(one, at('02T02:00:00'))).toEqual(at('01T20:00:00'))
  expect(countedAt(one, at('02T07:59:59'))).toEqual(at('02T01:59:59'))
  expect(countedAt(one, at('02T08:00:00'))).toEqual(at('02T08:00:00'))
  expect(countedAt(one, at('01T19:59:59'))).toEqual(at('01T19:59:59'))
  expect(countedAt([], at('02T03:00:00'))).toEqual(at('02T03:00:00'))
})

test('a chain that stands still again gives both times back', () => {
  expect(countedAt(stood, at('02T04:30:05'))).toEqual(at('01T20:30:05'))
})

const hours = (since: string) => stoodSince(stood, at(since)) / 3_600_000

test('the time for which it stood is counted from an instant on', () => {
  expect([hours('01T00:00:00'), hours('02T01:00:00'), hours('02T03:00:05'), hours('02T05:00:00')]).toEqual([8, 3, 1, 0])
})
