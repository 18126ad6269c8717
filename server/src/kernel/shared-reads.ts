type Limits = {
  /** For how long an answer is given again, in milliseconds; for ever without it. */
  keep_ms?: number
  /** How many answers are kept: those read last. */
  maxKept: number
}

/**
 * For what anyone may ask for and takes long to read: a key is read once, however many ask for it at the same time or again
 * while its answer is kept. A failure is told to all who wait for it and is not kept, so that the next one reads again.
 */
export function createSharedReads<Key, Value>(
  { keep_ms = Infinity, maxKept }: Limits,
  read: (key: Key, now: Date) => Promise<Value>,
): (key: Key, now: Date) => Promise<Value> {
  const kept = new Map<Key, { at_ms: number; value: Promise<Value> }>()
  return async (key, now) => {
    const known = kept.get(key)
    // The clock may have been set back.
    if (known !== undefined && Math.abs(now.getTime() - known.at_ms) < keep_ms) return known.value
    const mine = { at_ms: now.getTime(), value: read(key, now) }
    kept.delete(key)
    kept.set(key, mine)
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    try {
      return await mine.value
    } catch (error) {
      if (kept.get(key) === mine) kept.delete(key)
      throw error
    }
  }
}
