/** The answer of one node. */
export type Vote<T> = { node: string; answer: T }

/**
 * `agreed`: more than half of the nodes that count gave this answer. `disputed`: no answer has that many, and two of them
 * differ. `silent`: too few nodes have answered.
 */
export type Outcome<T> = { agreed: T } | 'disputed' | 'silent'

/** @param counted how many nodes count, whether they answered or not */
export function outcomeOf<T>(votes: readonly Vote<T>[], counted: number): Outcome<T> {
  const same = new Map<string, Vote<T>[]>()
  for (const vote of votes) {
    const text = textOf(vote.answer)
    same.set(text, [...(same.get(text) ?? []), vote])
  }
  for (const [first, ...others] of same.values()) {
    if (first !== undefined && 2 * (others.length + 1) > counted) return { agreed: first.answer }
  }
  return same.size > 1 ? 'disputed' : 'silent'
}

/** An answer as text: equal answers have the same one. */
export const textOf = (answer: unknown): string =>
  JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)) ?? 'undefined'

/** The highest block that more than half of the nodes have reached; null where too few answer. @param heads null for a node that does not */
export function reachedByMajority(heads: readonly (bigint | null)[]): bigint | null {
  const known = heads.filter((head) => head !== null).toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0))
  return known[heads.length >> 1] ?? null
}
