import { attempt, type DeviceStorage } from '../lib/storage.ts'
import type { Store } from '../lib/store.ts'

export type PendingCommands<T> = ReturnType<typeof createPendingCommands<T>>

/**
 * Keeps what each account has sent and not heard of yet, from before it is sent: so that a lost answer can be asked for
 * again, also after a reload, and nobody does by accident a second time what was done. Each account has room for one.
 * What `isSent` denies or throws at, as what another version has written may make it, is nothing to ask for.
 */
export function createPendingCommands<T>(storage: DeviceStorage, key: string, isSent: (kept: T) => boolean) {
  const read = (): Record<string, T> => {
    const kept: unknown = attempt(() => JSON.parse(storage.getItem(key) ?? '{}') as unknown)
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, T>) : {}
  }
  // Without storage only a reload loses the way to ask again; the records still tell what happened.
  const write = (kept: Record<string, T>) =>
    void attempt(() =>
      Object.keys(kept).length === 0 ? storage.removeItem(key) : storage.setItem(key, JSON.stringify(kept)),
    )
  const without = (account: string) =>
    Object.fromEntries(Object.entries(read()).filter(([each]) => each !== account.toLowerCase()))

  return {
    of(account: string): T | null {
      const kept = read()[account.toLowerCase()]
      return kept !== undefined && attempt(() => isSent(kept)) === true ? kept : null
    },
    keep: (account: string, sent: T): void => write({ ...without(account), [account.toLowerCase()]: sent }),
    forget: (account: string): void => write(without(account)),
  }
}

type Resuming<Flow, Sent> = {
  flow: Store<Flow | null>
  pending: PendingCommands<Sent>
  accountOf: (flow: Flow) => string
  /** What is shown of something sent without an answer. */
  flowOf: (account: string, sent: Sent) => Flow
}

/**
 * Takes up what an account has sent and never heard of, such as before a reload; true when there is something. What
 * another account has left on this page is not for this one.
 */
export function createResume<Flow extends { step: { kind: string } }, Sent>(parts: Resuming<Flow, Sent>) {
  const { flow, pending, accountOf, flowOf } = parts
  return (account: string): boolean => {
    const current = flow.get()
    const isOwn = current !== null && accountOf(current).toLowerCase() === account.toLowerCase()
    if (isOwn && current.step.kind === 'sending') return true
    const sent = pending.of(account)
    if (sent !== null) flow.set(flowOf(account, sent))
    else if (!isOwn) flow.set(null)
    return sent !== null
  }
}
