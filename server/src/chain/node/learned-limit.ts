/** After so many uses of what is known to be borne, a little more is tried once: a node may bear more than before. */
const TRIED_AGAIN_AFTER = 200

export type LearnedLimit = {
  /** How much to ask for now. */
  current(): number
  /** So much was borne. */
  bore(amount: number): void
  /** So much was refused. */
  refused(amount: number): void
}

/**
 * How much of something a node bears, learned from what it bore and what it refused. Grows by doubling until something is
 * refused. From then on it stays between the most that was borne and the least that was refused, and halves that
 * distance until it is an eighth of what is borne.
 */
export function learnedLimit({ first, most }: { first: number; most: number }): LearnedLimit {
  let current = Math.min(first, most)
  let borne = 0
  let refusedAt = Number.POSITIVE_INFINITY
  let uses = 0
  const next = (): number => {
    if (refusedAt === Number.POSITIVE_INFINITY) return Math.min(most, Math.max(first, 2 * borne))
    const isNear = refusedAt - borne <= Math.max(1, borne >> 3)
    return Math.min(most, Math.max(1, isNear ? borne : Math.floor((borne + refusedAt) / 2)))
  }
  return {
    current: () => current,
    bore(amount) {
      borne = Math.max(borne, amount)
      if (amount < current) return
      uses += 1
      refusedAt = refusedAt <= borne ? Number.POSITIVE_INFINITY : refusedAt
      if (uses > TRIED_AGAIN_AFTER && refusedAt !== Number.POSITIVE_INFINITY) {
        uses = 0
        refusedAt = Math.ceil(refusedAt * 1.5) + 1
      }
      if (refusedAt > most) refusedAt = Number.POSITIVE_INFINITY
      current = next()
    },
    refused(amount) {
      uses = 0
      refusedAt = Math.max(2, Math.min(refusedAt, amount))
      // A size that was borne before is borne no more.
      if (borne >= refusedAt) borne = 0
      current = next()
    },
  }
}
