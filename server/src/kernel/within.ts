export class NoAnswer extends Error {}

/** The answer, when it comes in time; the question itself is not ended. @throws NoAnswer when there is none within the limit */
export function within<T>(limit_ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new NoAnswer(`no answer within ${limit_ms} ms`))
    // When this thread was busy for longer, the answer may have arrived unread: one turn of the event loop reads it first.
    const timer = setTimeout(() => setImmediate(giveUp), limit_ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
