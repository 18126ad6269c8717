/**
 * Lets costly work take turns with everything else: one piece between two looks at the sockets, first come, first
 * served. Done as it arrives, a hundred pieces that come together would be a row of a hundred, at whose end everybody
 * stands who wants something small.
 *
 * @returns resolves to true when it is one's turn, and to false at once when `maxWaiting` others wait already
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
