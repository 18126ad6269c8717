/**
 * Runs costly pieces of work in the order of arrival, a few in each turn of the event loop, and lets other work run in
 * between. Without it, a hundred pieces that arrive together would run in one go, and every small task would wait for all
 * of them.
 *
 * @param options.atOnce in one turn @param options.maxWaiting when so many wait, further ones are refused
 * @returns resolves to true when the caller's turn has come: what it does before it waits for anything is its piece; to
 * false at once when it is refused
 */
export function createWorkQueue({ atOnce, maxWaiting }: WorkQueueOptions): () => Promise<boolean> {
  const waiting: ((isTurn: true) => void)[] = []
  let isScheduled = false
  const schedule = (): void => {
    isScheduled = true
    setImmediate(() => void runSome())
  }
  const runSome = async (): Promise<void> => {
    for (let nth = 0; nth < atOnce && waiting.length > 0; nth += 1) {
      waiting.shift()?.(true)
      // Whose turn it is works now, before this goes on.
      await Promise.resolve()
    }
    isScheduled = false
    if (waiting.length > 0) schedule()
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.length >= maxWaiting) return resolve(false)
      waiting.push(resolve)
      if (!isScheduled) schedule()
    })
}

type WorkQueueOptions = { atOnce: number; maxWaiting: number }
