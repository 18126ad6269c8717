import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** Random values that repeat exactly for the same seed. */
export type Random = {
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number
  /** True with this probability, from 0 to 1. */
  chance(probability: number): boolean
  /** One of the items, each with the same probability. The list must not be empty. */
  pick<T>(items: readonly T[]): T
  /** The same items in another order, each order with the same probability. */
  shuffled<T>(items: readonly T[]): T[]
  /** One of the names, with a probability proportional to its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
}

/** @param seed a 32-bit integer */
export function seededRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed)
  const below = (limit: number): number => uniformInt(generator, 0, limit - 1)
  return {
    below,
    chance: (probability) => uniformFloat64(generator) < probability,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    shuffled(items) {
      const left = [...items]
      return items.map(() => left.splice(below(left.length), 1)[0] as (typeof items)[number])
    },
    weighted(weights) {
      const names = Object.keys(weights) as (keyof typeof weights)[]
      let left = uniformFloat64(generator) * names.reduce((sum, name) => sum + weights[name], 0)
      for (const name of names) {
        left -= weights[name]
        if (left < 0) return name
      }
      return names[0] as (typeof names)[number]
    },
  }
}
