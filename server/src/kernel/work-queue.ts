/**
 * Runs costly pieces of work in the order of arrival, a few in each turn of the event loop, and lets other work run in
 * between. Without it, a hundred pieces that arrive together would run in one go, and every small task would wait for all
 * of them.
 *
 * @param options.atOnce pieces in one turn of the event loop
 * @param options.maxWaiting further callers are refused
 * @returns true when the caller may run; its piece is what it does until its next await. false at once when refused
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
      // The caller that was resolved runs its piece before this loop continues.
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
