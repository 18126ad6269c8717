import { WalletError } from './errors.ts'

/** A request that opens no window is answered at once by a wallet that works; in milliseconds. */
export const ANSWER_MS = 8_000

/**
 * Waits for a wallet no longer than the signal says; its reason is what is thrown then. What was asked for goes on: nobody can take a
 * prompt back out of a wallet.
 * @throws WalletError `given-up` where the signal has no reason of its own
 */
export function untilAborted<T>(asked: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return asked
  return new Promise((resolve, reject) => {
    const stop = () => {
      const reason: unknown = signal.reason
      reject(reason instanceof WalletError ? reason : new WalletError('given-up', 'The person has stopped waiting'))
    }
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Waits for what needs no person. @throws WalletError `silent` when no answer has come in time */
export function answerInTime<T>(asked: Promise<T>, limitMs: number = ANSWER_MS): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new WalletError('silent', 'The wallet does not answer')), limitMs)
  return untilAborted(asked, limit.signal).finally(() => clearTimeout(timer))
}
