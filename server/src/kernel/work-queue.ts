/**
 * Runs costly pieces of work one at a time, in the order of arrival, and lets other work run between two of them.
 * Without it, a hundred pieces that arrive together would run in one go, and every small task would wait for all of
 * them.
 *
 * @returns resolves to true when the caller's turn has come, and to false at once when `maxWaiting` others wait already
 */
export function createWorkQueue(maxWaiting: number): () => Promise<boolean> {
  const waiting: ((isTurn: true) => void)[] = []
  const next = (): void => {
    waiting.shift()?.(true)
    if (waiting.length > 0) setImmediate(next)
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.length >= maxWaiting) return resolve(false)
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(next)
    })
}
