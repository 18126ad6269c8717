type Answer = { id: unknown; result?: unknown; error?: unknown }

/** The lies of a node in the answers of one request. `shuffled` is no lie: the answers of a batch may come in any order. */
export const lies = ['dropped', 'doubled', 'foreign', 'swapped', 'shortened', 'nulled', 'mistyped', 'shuffled'] as const
export type Lie = (typeof lies)[number]

/**
 * The answers of one request as a node gives them that tells this lie about the call at `nth`; a lie about two calls is about
 * the next one, too. Answers to single calls are lists of one.
 */
export function tell(lie: Lie, answers: readonly Answer[], nth: number): Answer[] {
  const told = answers.map((answer) => ({ ...answer }))
  const [one, other] = [told[nth], told[(nth + 1) % told.length]]
  if (one === undefined || other === undefined) return told
  switch (lie) {
    case 'dropped':
      return told.filter((answer) => answer !== one)
    case 'doubled':
      return told.flatMap((answer) => (answer === one ? [one, one] : [answer]))
    case 'foreign':
      return told.map((answer) => (answer === one ? { ...one, id: Number(one.id) + 1_000_000 } : answer))
    case 'swapped': {
      const { id } = one
      one.id = other.id
      other.id = id
      return told
    }
    case 'shortened':
      return told.map((answer) => (answer === one ? { ...one, ...shortened(one) } : answer))
    case 'nulled':
      return told.map((answer) => (answer === one ? { id: one.id, result: null } : answer))
    case 'mistyped':
      return told.map((answer) => (answer === one ? { id: one.id, result: 7 } : answer))
    case 'shuffled':
      return told.toReversed()
    default:
      throw new RangeError(`no such lie: ${String(lie)}`)
  }
}

/** Half of a hexadecimal text, or a list without its last. */
function shortened({ result }: Answer): { result?: unknown } {
  if (typeof result === 'string') return { result: result.slice(0, Math.ceil(result.length / 2)) }
  return Array.isArray(result) ? { result: result.slice(0, -1) } : {}
}
