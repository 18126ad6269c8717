import { type ApiError, isDecisive } from '../api/errors.ts'
import { type CommandKey, type KeptCommand, readCommands, writeCommands } from '../lib/device-records.ts'
import type { DeviceStorage } from '../lib/storage.ts'
import type { Store } from '../lib/store.ts'

export type PendingCommands<K extends CommandKey> = ReturnType<typeof createPendingCommands<K>>

/**
 * Keeps the one command of each account that is not answered yet, from before it is sent. So it can be sent again word
 * for word, also after a reload, and nobody repeats by accident what was done.
 */
export function createPendingCommands<K extends CommandKey>(storage: DeviceStorage, key: K) {
  const read = () => readCommands(storage, key)
  const without = (account: string) =>
    Object.fromEntries(Object.entries(read()).filter(([each]) => each !== account.toLowerCase()))
  const forget = (account: string): void => writeCommands(storage, key, without(account))

  return {
    of: (account: string): KeptCommand<K> | null => read()[account.toLowerCase()] ?? null,
    keep: (account: string, command: KeptCommand<K>): void =>
      writeCommands(storage, key, { ...without(account), [account.toLowerCase()]: command }),
    forget,
    /** Sends what was kept for an account, and forgets it as soon as its outcome is known. Never rejects. */
    async send<Result>(account: string, send: () => Promise<Result>): Promise<Sent<Result>> {
      try {
        const result = await send()
        forget(account)
        return { kind: 'done', result }
      } catch (error) {
        if (!isDecisive(error)) return { kind: 'noAnswer' }
        forget(account)
        return { kind: 'refused', error }
      }
    },
  }
}

/** `noAnswer`: it may have been done, and sending it again cannot do it twice. */
type Sent<Result> = { kind: 'done'; result: Result } | { kind: 'refused'; error: ApiError } | { kind: 'noAnswer' }

type ResumeDeps<Flow, K extends CommandKey> = {
  flow: Store<Flow | null>
  pending: PendingCommands<K>
  accountOf: (flow: Flow) => string
  /** What is shown of something sent without an answer. */
  flowOf: (account: string, command: KeptCommand<K>) => Flow
}

/**
 * Shows again the command of an account that was never answered, such as before a reload; true when there is one. What
 * another account has left on this page is not shown to this one.
 */
export function createResume<Flow extends { step: { kind: string } }, K extends CommandKey>(deps: ResumeDeps<Flow, K>) {
  const { flow, pending, accountOf, flowOf } = deps
  return (account: string): boolean => {
    const current = flow.get()
    const isOwn = current !== null && accountOf(current).toLowerCase() === account.toLowerCase()
    if (isOwn && current.step.kind === 'sending') return true
    const command = pending.of(account)
    if (command !== null) flow.set(flowOf(account, command))
    else if (!isOwn) flow.set(null)
    return command !== null
  }
}
