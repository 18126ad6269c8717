import type { AssetCode } from '@candela/protocol/money/assets'
import type { CallInput, Data } from '@candela/protocol/endpoints'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { type TransferTypedData, transferTypedData } from '@candela/protocol/chain/typed-data'
import { createResume, type PendingCommands } from '../../command/pending-commands.ts'
import type { KeptCommand } from '../../lib/device-records.ts'
import { createStore } from '../../lib/store.ts'
import { WalletError, type WalletErrorKind } from '../../wallet/errors.ts'

type Address = `0x${string}`
type SignedInput = CallInput<'POST transfer/index'>
export type MadeTransfer = Data<'POST transfer/index'>['transfer']

/** What somebody wants to send; `amount` in base units. */
export type TransferTerms = { from: Address; to: Address; toUid: string; asset: AssetCode; amount: bigint }

export type Step =
  | { kind: 'review' | 'signing' | 'sending' }
  | { kind: 'done'; transfer: MadeTransfer }
  /** Nothing moved: refused in the wallet, not signed for another reason, or refused by the service in its own words. */
  | { kind: 'refused' }
  | { kind: 'notSigned'; why: WalletErrorKind }
  | { kind: 'failed'; message: string }
  /** No answer came: it may have been done, and asking again cannot do it twice. */
  | { kind: 'noAnswer' }

export type Flow = { terms: TransferTerms; step: Step } | null

export type FlowDeps = {
  pending: PendingCommands<'transfer'>
  /** The payment contract, for which the terms are signed. */
  gateway: () => Promise<Address>
  /** False when the wallet is not on the signed-in account and chain, which it has told by itself. */
  ready: () => Promise<boolean>
  sign: (data: TransferTypedData) => Promise<Address>
  send: (input: SignedInput) => Promise<Data<'POST transfer/index'>>
  newRequestId: () => string
  now: () => number
}

/** Time to answer the wallet and to try again over a bad connection; the service takes up to ten minutes. */
export const VALID_MS = 5 * 60_000

/**
 * One transfer from the summary to its end. Once it is signed it is kept on this device until an answer has come, so
 * that a lost answer is asked for again and never signed again.
 */
export function createTransferFlow(deps: FlowDeps) {
  const { pending } = deps
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
    const input = await signed(terms)
    // The sheet was closed meanwhile: the transfer is not wanted any more, and a signature that is not sent has no
    // effect.
    if (input === null || flow.get()?.terms !== terms) return
    pending.keep(terms.from, { toUid: terms.toUid, input })
    await send(terms, input)
  }

  /** Null when it was not signed; the step tells why. */
  async function signed(terms: TransferTerms): Promise<SignedInput | null> {
    const { from, to, asset, amount } = terms
    try {
      if (!(await deps.ready())) {
        at(terms, { kind: 'review' })
        return null
      }
      const requestId = deps.newRequestId()
      const deadline = new Date(deps.now() + VALID_MS)
      const signable = { from, to, asset, amount, requestId, deadline }
      const signature = await deps.sign(transferTypedData(signable, await deps.gateway()))
      return { to, asset, amount: fromBaseUnits(amount), requestId, deadline: deadline.toISOString(), signature }
    } catch (error) {
      const why = error instanceof WalletError ? error.kind : 'failed'
      at(terms, why === 'refused' ? { kind: 'refused' } : { kind: 'notSigned', why })
      return null
    }
  }

  async function send(terms: TransferTerms, input: SignedInput): Promise<void> {
    at(terms, { kind: 'sending' })
    const sent = await pending.send(terms.from, () => deps.send(input))
    if (sent.kind === 'done') at(terms, { kind: 'done', transfer: sent.result.transfer })
    else if (sent.kind === 'noAnswer') at(terms, { kind: 'noAnswer' })
    else at(terms, { kind: 'failed', message: sent.error.message })
  }

  const resume = createResume<NonNullable<Flow>, 'transfer'>({
    flow,
    pending,
    accountOf: ({ terms }) => terms.from,
    flowOf: (account, sent) => ({ terms: termsOf(account, sent), step: { kind: 'noAnswer' } }),
  })

  return {
    flow,
    /** Begins another one, unless the one before has no answer yet: that comes first. */
    review: (terms: TransferTerms): void => {
      if (!resume(terms.from)) flow.set({ terms, step: { kind: 'review' } })
    },
    close: () => flow.set(null),
    confirm,
    /** Asks again for the answer that is still missing. */
    askAgain: async (): Promise<void> => {
      const current = flow.get()
      const sent = current === null ? null : pending.of(current.terms.from)
      if (current !== null && sent !== null) await send(current.terms, sent.input)
    },
    resume,
  }
}

function termsOf(from: string, { toUid, input: { to, asset, amount } }: KeptCommand<'transfer'>): TransferTerms {
  return { from: from as Address, to: to as Address, toUid, asset, amount: toBaseUnits(amount) }
}
