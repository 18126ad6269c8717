import { MINUTE_MS } from '@candela/protocol/units'

/** The block that a node showed when it was last asked for its newest one; null when it did not answer. */
export type Sight = { number: bigint; at: Date } | null

export type Condition = 'ok' | 'down' | 'behind'

/** How a node is, and since when it is not as it should be. */
export type NodeHealth = { condition: Condition; since: Date | null; counts: boolean }

/** Blocks below the median head from which on a node is behind. */
const MAX_BEHIND = 30n
/** A node that is down or behind for so long does not count any more. */
export const LEAVES_AFTER_MS = 10 * MINUTE_MS

/**
 * The condition of each node. A node is behind when its newest block is old by our clock while another node has a recent one, or,
 * among three and more, when it is far below the median: one node that announces too high a head makes no other look behind.
 */
export function conditionsOf(sights: readonly Sight[], now: Date, maxHeadAge_s: number): Condition[] {
  const seen = sights.filter((sight) => sight !== null)
  const isRecent = ({ at }: { at: Date }): boolean => now.getTime() - at.getTime() <= maxHeadAge_s * 1_000
  const isAnyRecent = seen.some(isRecent)
  const heads = seen.map(({ number }) => number).toSorted((a, b) => Number(a - b))
  const median = seen.length > 2 ? (heads[heads.length >> 1] ?? 0n) : null
  return sights.map((sight) => {
    if (sight === null) return 'down'
    const isOld = isAnyRecent && !isRecent(sight)
    return isOld || (median !== null && sight.number < median - MAX_BEHIND) ? 'behind' : 'ok'
  })
}

/**
 * Decides which nodes count where money is decided. A node that is down for ten minutes leaves the count. A node that is behind for as
 * long leaves it while at least half of all nodes are well: so one of two does, and one of three makes no two others leave by
 * announcing blocks that nobody else has. At least one counts: when all have left, all count.
 */
export function withCounts(before: readonly NodeHealth[], conditions: readonly Condition[], now: Date): NodeHealth[] {
  const well = conditions.filter((condition) => condition === 'ok').length
  const found = conditions.map((condition, index): NodeHealth => {
    if (condition === 'ok') return { condition, since: null, counts: true }
    const since = before[index]?.since ?? now
    const isLong = now.getTime() - since.getTime() >= LEAVES_AFTER_MS
    const leaves = isLong && (condition === 'down' || 2 * well >= conditions.length)
    return { condition, since, counts: !leaves }
  })
  return found.some(({ counts }) => counts) ? found : found.map((health) => ({ ...health, counts: true }))
}

/** The order in which nodes are asked: well ones first, each kind in the order of the settings. */
export function orderOf(isFailing: readonly boolean[], conditions: readonly Condition[]): number[] {
  const rank = (index: number): number =>
    (conditions[index] === 'ok' ? 0 : conditions[index] === 'behind' ? 1 : 2) + (isFailing[index] === true ? 2 : 0)
  return conditions.map((_condition, index) => index).toSorted((a, b) => rank(a) - rank(b) || a - b)
}
