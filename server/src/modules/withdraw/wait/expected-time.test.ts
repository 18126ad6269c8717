import { DAY_MS, HOUR_MS } from '@candela/protocol/units'
import { expect, test } from 'vitest'
import { blocksFor, signableAt, type Wait } from './expected-time.ts'

const now = new Date('2026-03-15T12:00:00Z')
const wait: Wait = {
  amount: 100n,
  fresh: 0n,
  askedAt: now,
  ahead: { count: 0, amount: 0n, fresh: 0n },
  cap: { cap: 1_000n, left: 1_000n, at: now },
  share: 500n,
  shareUsed: 0n,
}
const hours = (more: Partial<Wait>) => {
  const at = signableAt({ ...wait, ...more }, now)
  return at === null ? null : (at.getTime() - now.getTime()) / HOUR_MS
}

test('what fits is signed at once; more is signed when as much of the cap has come back', () => {
  expect(hours({})).toBe(0)
  expect(hours({ cap: { cap: 1_000n, left: 100n, at: now } })).toBe(0)
  expect(hours({ cap: { cap: 1_000n, left: 50n, at: now } })).toBeCloseTo(1.2)
  // The amount that the contract was asked for half an hour ago has come back since.
  expect(hours({ cap: { cap: 1_000n, left: 50n, at: new Date(now.getTime() - HOUR_MS / 2) } })).toBeCloseTo(0.7)
  // Behind others.
  expect(hours({ ahead: { count: 3, amount: 1_000n, fresh: 0n } })).toBeCloseTo(2.4)
  expect(hours({ amount: 1_000n, ahead: { count: 3, amount: 1_000n, fresh: 0n } })).toBe(24)
})

test('fresh money waits for its share, and is old after a day', () => {
  expect(hours({ fresh: 100n })).toBe(0)
  expect(hours({ fresh: 100n, shareUsed: 450n })).toBeCloseTo(2.4)
  expect(hours({ fresh: 100n, shareUsed: 450n, ahead: { count: 1, amount: 100n, fresh: 100n } })).toBeCloseTo(7.2)
  // Old money does not wait for it.
  expect(hours({ shareUsed: 500n })).toBe(0)
  expect(hours({ amount: 600n, fresh: 600n, share: 100n })).toBe(24)
  expect(hours({ amount: 600n, fresh: 600n, share: 100n, askedAt: new Date(now.getTime() - 2 * DAY_MS) })).toBe(0)
})

test('no time is told while nobody has asked the contract, or when it never pays so much', () => {
  expect(hours({ cap: null })).toBeNull()
  expect(hours({ amount: 1_001n })).toBeNull()
  expect(hours({ cap: { cap: 0n, left: 0n, at: now } })).toBeNull()
})

test('sixteen are paid in a block, and each needs its confirmations', () => {
  expect(blocksFor(0, 3)).toBe(4)
  expect(blocksFor(15, 3)).toBe(4)
  expect(blocksFor(16, 3)).toBe(5)
})
