import { describe, expect, test } from 'vitest'
import { conditionsOf, LEAVES_AFTER_MS, type NodeHealth, orderOf, type Sight, withCounts } from './health.ts'

const now = new Date('2026-11-26T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
/** A head so many seconds old. */
const head = (number: number, age_s = 1): Sight => ({ number: BigInt(number), at: later(-age_s * 1_000) })
const conditions = (...sights: Sight[]) => conditionsOf(sights, now, 120)

describe('the condition of a node', () => {
  test('a node without an answer is down, one with an old head is behind while another has a new one', () => {
    expect(conditions(head(100), null)).toEqual(['ok', 'down'])
    expect(conditions(head(100), head(50, 121))).toEqual(['ok', 'behind'])
    expect(conditions(head(100), head(50, 120))).toEqual(['ok', 'ok'])
  })
  test('no node is behind while the whole chain stands still', () => {
    expect(conditions(head(100, 7_200), head(100, 7_200))).toEqual(['ok', 'ok'])
  })
  test('among three, one far below the median is behind, and one far above makes no other look so', () => {
    expect(conditions(head(69), head(100), head(100))).toEqual(['behind', 'ok', 'ok'])
    expect(conditions(head(70), head(100), head(100))).toEqual(['ok', 'ok', 'ok'])
    expect(conditions(head(100), head(100), head(9_999))).toEqual(['ok', 'ok', 'ok'])
    expect(conditions(head(100), head(9_999))).toEqual(['ok', 'ok'])
  })
})

describe('which nodes count', () => {
  const well: NodeHealth = { condition: 'ok', since: null, counts: true }
  const counts = (kinds: NodeHealth['condition'][], after_ms: number) => {
    const first = withCounts(
      kinds.map(() => well),
      kinds,
      now,
    )
    return withCounts(first, kinds, later(after_ms)).map((node) => node.counts)
  }
  test('one that is down leaves after ten minutes, not before, and never the last', () => {
    expect(counts(['ok', 'down'], LEAVES_AFTER_MS - 1)).toEqual([true, true])
    expect(counts(['ok', 'down'], LEAVES_AFTER_MS)).toEqual([true, false])
    expect(counts(['down', 'down'], LEAVES_AFTER_MS)).toEqual([true, true])
  })
  test('one that is behind leaves as late, while half of all are well: one of two, and no two because of a third', () => {
    expect(counts(['ok', 'ok', 'behind'], LEAVES_AFTER_MS)).toEqual([true, true, false])
    expect(counts(['ok', 'behind'], LEAVES_AFTER_MS - 1)).toEqual([true, true])
    expect(counts(['ok', 'behind'], LEAVES_AFTER_MS)).toEqual([true, false])
    expect(counts(['ok', 'behind', 'behind'], LEAVES_AFTER_MS)).toEqual([true, true, true])
    expect(counts(['behind', 'down'], LEAVES_AFTER_MS)).toEqual([true, false])
    expect(counts(['behind', 'behind'], LEAVES_AFTER_MS)).toEqual([true, true])
  })
  test('one that is well again counts at once, and its time begins anew', () => {
    const left = withCounts([{ condition: 'down', since: now, counts: false }, well], ['ok', 'ok'], later(1))
    expect(left[0]).toEqual(well)
    expect(withCounts(left, ['down', 'ok'], later(2))[0]).toEqual({ condition: 'down', since: later(2), counts: true })
  })
})

test('nodes are asked in the order of the settings, those that fail, are behind or down last', () => {
  expect(orderOf([false, false, false], ['ok', 'ok', 'ok'])).toEqual([0, 1, 2])
  expect(orderOf([true, false, false], ['ok', 'ok', 'ok'])).toEqual([1, 2, 0])
  expect(orderOf([false, false, false], ['behind', 'down', 'ok'])).toEqual([2, 0, 1])
})
