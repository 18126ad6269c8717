/** Choices that repeat: the same seed always makes the same ones. */
export type Choices = {
  /** From 0 to `limit` - 1. */
  below(limit: number): number
  chance(share: number): boolean
  one<T>(items: readonly T[]): T
  /** One of the names, as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
}

export function choicesOf(seed: number): Choices {
  let state = (seed * 0x9e3779b1) | 0
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (share) => next() < share,
    one: (items) => items[below(items.length)] as (typeof items)[number],
    weighted(weights) {
      const names = Object.keys(weights) as (keyof typeof weights)[]
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0)
      for (const name of names) {
        left -= weights[name]
        if (left < 0) return name
      }
      return names[0] as (typeof names)[number]
    },
  }
}
