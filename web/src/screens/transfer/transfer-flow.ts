import type { AssetCode } from '@candela/protocol/money/assets'
import type { CallInput, Data } from '@candela/protocol/endpoints'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { type TransferTypedData, transferTypedData } from '@candela/protocol/chain/typed-data'
import { isDecisive } from '../../api/errors.ts'
import { createResume, type Unanswered } from '../../command/unanswered.ts'
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

/** A signed transfer, and whom the account number was given for. */
export type Sent = { toUid: string; input: Input }
export const isSent = ({ input }: Sent): boolean => toBaseUnits(input.amount) > 0n

export type FlowDeps = {
  unanswered: Unanswered<Sent>
  /** The payment contract, for which the terms are signed. */
  gateway: () => Promise<Address>
  /** False when the wallet is not on the signed-in account and chain, which it has told by itself. */
  ready: () => Promise<boolean>
  sign: (data: TransferTypedData) => Promise<Address>
  send: (input: Input) => Promise<Data<'POST transfer/index'>>
  randomId: () => string
  now: () => number
}

/** Time to answer the wallet and to try again over a bad connection; the service takes up to ten minutes. */
export const VALID_MS = 5 * 60_000

/**
 * One transfer from the summary to its end. Once it is signed it is kept on this device until an answer has come, so
 * that a lost answer is asked for again and never signed again.
 */
export function createTransferFlow(deps: FlowDeps) {
  const { unanswered } = deps
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
    unanswered.keep(wish.from, { toUid: wish.toUid, input })
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
      unanswered.forget(wish.from)
      at(wish, { kind: 'done', transfer })
    } catch (error) {
      if (isDecisive(error)) {
        unanswered.forget(wish.from)
        at(wish, { kind: 'failed', message: error.message })
      } else {
        at(wish, { kind: 'unanswered' })
      }
    }
  }

  const resume = createResume<NonNullable<Flow>, Sent>({
    flow,
    unanswered,
    accountOf: ({ wish }) => wish.from,
    flowOf: (account, sent) => ({ wish: wishOf(account, sent), stage: { kind: 'unanswered' } }),
  })

  return {
    flow,
    /** Begins another one, unless the one before has no answer yet: that comes first. */
    review: (wish: Wish): void => {
      if (!resume(wish.from)) flow.set({ wish, stage: { kind: 'review' } })
    },
    close: () => flow.set(null),
    confirm,
    /** Asks again for the answer that is still missing. */
    askAgain: async (): Promise<void> => {
      const current = flow.get()
      const sent = current === null ? null : unanswered.of(current.wish.from)
      if (current !== null && sent !== null) await send(current.wish, sent.input)
    },
    resume,
  }
}

function wishOf(from: string, { toUid, input: { to, asset, amount } }: Sent): Wish {
  return { from: from as Address, to: to as Address, toUid, asset, amount: toBaseUnits(amount) }
}
