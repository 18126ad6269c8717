import type { AssetCode } from '@candela/protocol/assets'
import { codes } from '@candela/protocol/codes'
import type { CallInput, Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money'
import { type TransferTypedData, transferTypedData } from '@candela/protocol/typed-data'
import { ApiError } from '../../api/errors.ts'
import type { Shelf } from '../../app/session.ts'
import { createStore } from '../../ui/store.ts'
import { WalletError } from '../../wallet/errors.ts'

type Address = `0x${string}`
type Input = CallInput<'POST transfer/index'>
export type MadeTransfer = Data<'POST transfer/index'>['transfer']

/** What somebody wants to send; `amount` in base units. */
export type Wish = { from: Address; to: Address; toUid: string; asset: AssetCode; amount: bigint }

export type Stage =
  | { kind: 'review' | 'signing' | 'sending' }
  | { kind: 'done'; transfer: MadeTransfer }
  /** Nothing moved: refused in the wallet, not signed for another reason, or refused by the service in its own words. */
  | { kind: 'refused' | 'notSigned' }
  | { kind: 'failed'; message: string }
  /** No answer came: it may have been done, and asking again cannot do it twice. */
  | { kind: 'unanswered' }

export type Flow = { wish: Wish; stage: Stage } | null

export type FlowDeps = {
  shelf: Shelf
  /** The payment contract, for which the terms are signed. */
  gateway: () => Promise<Address>
  /** False when the wallet is not on the signed-in account and chain, which it has told by itself. */
  ready: () => Promise<boolean>
  sign: (data: TransferTypedData) => Promise<Address>
  send: (input: Input) => Promise<Data<'POST transfer/index'>>
  randomId: () => string
  now: () => number
}

const KEY = 'transfer'
/** Time to answer the wallet and to try again over a bad connection; the service takes up to ten minutes. */
export const VALID_MS = 5 * 60_000

/**
 * One transfer from the summary to its end. Once it is signed it is kept on this device until an answer has come, so
 * that a lost answer is asked for again and never signed again.
 */
export function createTransferFlow(deps: FlowDeps) {
  const { shelf } = deps
  const flow = createStore<Flow>(null)

  /** Says how far this wish has come, unless it was left for another. */
  const at = (wish: Wish, stage: Stage) => {
    if (flow.get()?.wish === wish) flow.set({ wish, stage })
  }

  async function confirm(): Promise<void> {
    const current = flow.get()
    if (current === null || current.stage.kind === 'signing' || current.stage.kind === 'sending') return
    const { wish } = current
    at(wish, { kind: 'signing' })
    const input = await signed(wish)
    // Whoever closed the sheet meanwhile does not want it any more: an unsent signature is worth nothing.
    if (input === null || flow.get()?.wish !== wish) return
    keep(shelf, wish, input)
    await send(wish, input)
  }

  /** Null when it was not signed; the stage says why. */
  async function signed(wish: Wish): Promise<Input | null> {
    const { from, to, asset, amount } = wish
    try {
      if (!(await deps.ready())) {
        at(wish, { kind: 'review' })
        return null
      }
      const requestId = deps.randomId()
      const deadline = new Date(deps.now() + VALID_MS)
      const terms = { from, to, asset, amount, requestId, deadline }
      const signature = await deps.sign(transferTypedData(terms, await deps.gateway()))
      return { to, asset, amount: fromBaseUnits(amount), requestId, deadline: deadline.toISOString(), signature }
    } catch (error) {
      at(wish, { kind: error instanceof WalletError && error.kind === 'refused' ? 'refused' : 'notSigned' })
      return null
    }
  }

  async function send(wish: Wish, input: Input): Promise<void> {
    at(wish, { kind: 'sending' })
    try {
      const { transfer } = await deps.send(input)
      forget(shelf)
      at(wish, { kind: 'done', transfer })
    } catch (error) {
      if (error instanceof ApiError && isDecisive(error.code)) {
        forget(shelf)
        at(wish, { kind: 'failed', message: error.message })
      } else {
        at(wish, { kind: 'unanswered' })
      }
    }
  }

  return {
    flow,
    review: (wish: Wish) => flow.set({ wish, stage: { kind: 'review' } }),
    close: () => flow.set(null),
    confirm,
    /** Asks again for the answer that is still missing. */
    askAgain: async (): Promise<void> => {
      const [kept, current] = [recall(shelf), flow.get()]
      if (kept !== null && current !== null) await send(current.wish, kept.input)
    },
    /** Takes up a transfer of this account whose answer never came, such as before a reload. True when there is one. */
    resume: (from: string): boolean => {
      const kept = recall(shelf)
      if (kept === null || kept.wish.from !== from) return false
      flow.set({ wish: kept.wish, stage: { kind: 'unanswered' } })
      return true
    },
  }
}

/** A fault of the server, a session that ended, or too many requests leave open whether the transfer was made. */
const isDecisive = (code: number): boolean =>
  code !== codes.ourFault && code !== codes.slowDown && code !== codes.noSession

type Kept = { wish: Wish; input: Input }

function keep(shelf: Shelf, wish: Wish, input: Input): void {
  try {
    shelf.setItem(KEY, JSON.stringify({ wish: { ...wish, amount: wish.amount.toString() }, input }))
  } catch {
    // Without storage only a reload loses the way to ask again; the statement still tells what happened.
  }
}

function forget(shelf: Shelf): void {
  try {
    shelf.removeItem(KEY)
  } catch {
    // Asked for once more, it gets the same answer.
  }
}

function recall(shelf: Shelf): Kept | null {
  try {
    const kept = JSON.parse(shelf.getItem(KEY) ?? 'null') as { wish: Wish & { amount: string }; input: Input } | null
    return kept === null ? null : { ...kept, wish: { ...kept.wish, amount: BigInt(kept.wish.amount) } }
  } catch {
    return null
  }
}
