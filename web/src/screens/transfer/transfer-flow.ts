import type { AssetCode } from '@candela/protocol/money/assets'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { type TransferTypedData, transferTypedData } from '@candela/protocol/chain/typed-data'
import type { About, CommandInput } from '../../command/command-keys.ts'
import { NotSent } from '../../command/send-command.ts'
import { ApiError } from '@candela/client/errors'
import { createStore } from '../../lib/store.ts'
import { WalletError, type WalletErrorKind } from '../../wallet/errors.ts'

type Address = `0x${string}`
type SignedInput = CommandInput<'POST transfer/index'>
export type MadeTransfer = Data<'POST transfer/index'>['transfer']

/** The transfer that somebody wants to send; `amount` in base units. */
export type TransferTerms = { from: Address; to: Address; toUid: string; asset: AssetCode; amount: bigint }

export type Step =
  | { kind: 'review' | 'signing' | 'sending' }
  | { kind: 'done'; transfer: MadeTransfer }
  /** Nothing moved: refused in the wallet, not signed for another reason, or refused by the service in its own words. */
  | { kind: 'refused' }
  | { kind: 'notSigned'; why: WalletErrorKind }
  | { kind: 'failed'; message: string }

export type Flow = { terms: TransferTerms; step: Step } | null

export type FlowDeps = {
  /** The payment contract, for which the terms are signed. */
  gateway: () => Promise<Address>
  /** False when the wallet is not on the signed-in account and chain, which it has told by itself. */
  ready: () => Promise<boolean>
  sign: (data: TransferTypedData) => Promise<Address>
  /** Once for what was signed, also when its answer is lost. @throws ApiError, NotSent */
  send: (input: SignedInput, sent: { requestId: string; about: About }) => Promise<Data<'POST transfer/index'>>
  /** Whether an earlier one has no outcome yet: then it is shown. */
  showsEarlier: () => boolean
  newRequestId: () => string
  now: () => number
}

/** Time to answer the wallet and to try again over a bad connection; the service takes up to ten minutes. */
export const VALID_MS = 5 * 60_000

/**
 * One transfer from the summary to its end. Without an outcome it ends too: then it is shown apart, and comes before any
 * new one, so that nothing is signed twice.
 */
export function createTransferFlow(deps: FlowDeps) {
  const flow = createStore<Flow>(null)

  /** Shows how far this transfer has come, unless another one is shown by now. */
  const at = (terms: TransferTerms, step: Step) => {
    if (flow.get()?.terms === terms) flow.set({ terms, step })
  }

  async function confirm(): Promise<void> {
    const current = flow.get()
    if (current === null || current.step.kind === 'signing' || current.step.kind === 'sending') return
    const { terms } = current
    at(terms, { kind: 'signing' })
    const requestId = deps.newRequestId()
    const input = await signed(terms, requestId)
    // The sheet was closed meanwhile: the transfer is not wanted any more, and a signature that is not sent has no
    // effect.
    if (input === null || flow.get()?.terms !== terms) return
    await send(terms, input, requestId)
  }

  /** Null when it was not signed; the step tells why. */
  async function signed(terms: TransferTerms, requestId: string): Promise<SignedInput | null> {
    const { from, to, asset, amount } = terms
    try {
      if (!(await deps.ready())) {
        at(terms, { kind: 'review' })
        return null
      }
      const deadline = new Date(deps.now() + VALID_MS)
      const signable = { from, to, asset, amount, requestId, deadline }
      const signature = await deps.sign(transferTypedData(signable, await deps.gateway()))
      return { to, asset, amount: fromBaseUnits(amount), deadline: deadline.toISOString(), signature }
    } catch (error) {
      const why = error instanceof WalletError ? error.kind : 'failed'
      at(terms, why === 'refused' ? { kind: 'refused' } : { kind: 'notSigned', why })
      return null
    }
  }

  async function send(terms: TransferTerms, input: SignedInput, requestId: string): Promise<void> {
    at(terms, { kind: 'sending' })
    const { to, asset, amount } = input
    try {
      const { transfer } = await deps.send(input, { requestId, about: { to, toUid: terms.toUid, asset, amount } })
      at(terms, { kind: 'done', transfer })
    } catch (error) {
      if (error instanceof NotSent && flow.get()?.terms === terms) flow.set(null)
      else if (error instanceof ApiError) at(terms, { kind: 'failed', message: error.message })
    }
  }

  return {
    flow,
    /** Begins another one, unless one before has no outcome yet: that comes first. */
    review: (terms: TransferTerms): void => {
      if (!deps.showsEarlier()) flow.set({ terms, step: { kind: 'review' } })
    },
    close: () => flow.set(null),
    confirm,
    /** A transfer that another account has left on this page is not shown to this one. */
    leave: (account: string): void => {
      if (flow.get()?.terms.from.toLowerCase() !== account.toLowerCase()) flow.set(null)
    },
  }
}
