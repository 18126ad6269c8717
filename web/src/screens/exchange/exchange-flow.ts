import { codes } from '@candela/protocol/codes/codes'
import type { CallInput, Data } from '@candela/protocol/endpoints'
import { minReceivedFor } from '@candela/protocol/money/exchange'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { ApiError } from '../../api/errors.ts'
import { createResume, type PendingCommands } from '../../command/pending-commands.ts'
import type { KeptCommand } from '../../lib/device-records.ts'
import { createStore } from '../../lib/store.ts'

type Answered = Data<'POST exchange/quote'>
/** A quote that was kept on the device does not say what is left of the hour: that was true when it came. */
export type Quote = Omit<Answered, 'hourLeft'> & Partial<Pick<Answered, 'hourLeft'>>
export type Exchange = Data<'POST exchange/index'>['exchange']

/** A quote and when it ends by this device's clock, in milliseconds: from when it came, because that clock may be wrong. */
export type Offer = { quote: Quote; endsAt: number }

export type Step =
  | { kind: 'review' | 'sending' }
  /** Another quote is being asked for, because the price moved or the time was up. */
  | { kind: 'renewing'; oldOut: string }
  /** The new quote gives something else than what was seen: it is asked again. */
  | { kind: 'moved'; oldOut: string }
  | { kind: 'done'; exchange: Exchange }
  /** Nothing happened, in the words of the service; or without, when no new quote came. */
  | { kind: 'failed'; message: string | null }
  /** No answer came: it may have been done, and asking again cannot do it twice. */
  | { kind: 'noAnswer' }

/** `account`: whose it is. */
export type Flow = { account: string; offer: Offer; step: Step } | null

export type FlowDeps = {
  pending: PendingCommands<'exchange'>
  quote: (input: CallInput<'POST exchange/quote'>) => Promise<Quote>
  send: (input: CallInput<'POST exchange/index'>) => Promise<{ exchange: Exchange }>
  newRequestId: () => string
  now: () => number
}

/** When a quote ends by this device's clock: its lifetime is taken from the quote, because clocks differ. */
export const endOf = ({ createdAt, expiresAt }: Quote, receivedAt: number): number =>
  receivedAt + Date.parse(expiresAt) - Date.parse(createdAt)

/** The minimum that is agreed to with a quote, as it is shown and sent. */
export function agreedMin({ amountOut }: Quote): string {
  const min = minReceivedFor(toBaseUnits(amountOut))
  return fromBaseUnits(min > 0n ? min : 1n)
}

/**
 * One exchange from the summary to its end. What is agreed to is always the quote on screen, and no other; it is kept on
 * this device until an answer has come, so that a lost answer is asked for again instead of exchanging twice.
 */
export function createExchangeFlow(deps: FlowDeps) {
  const { pending } = deps
  const flow = createStore<Flow>(null)

  const at = (step: Step) => {
    const current = flow.get()
    if (current !== null) flow.set({ ...current, step })
  }

  async function confirm(): Promise<void> {
    const current = flow.get()
    if (current === null || (current.step.kind !== 'review' && current.step.kind !== 'moved')) return
    const sent = { quote: current.offer.quote, requestId: deps.newRequestId() }
    pending.keep(current.account, sent)
    await send(current.account, sent)
  }

  async function send(account: string, { quote, requestId }: KeptCommand<'exchange'>): Promise<void> {
    at({ kind: 'sending' })
    const input = { quoteNo: quote.quoteNo, minReceived: agreedMin(quote), requestId }
    const sent = await pending.send(account, () => deps.send(input))
    if (sent.kind === 'done') at({ kind: 'done', exchange: sent.result.exchange })
    else if (sent.kind === 'noAnswer') at({ kind: 'noAnswer' })
    else if (sent.error.code === codes.priceMoved) await renew(quote.amountOut)
    else at({ kind: 'failed', message: sent.error.message })
  }

  /** Asks for another quote of the same; one that gives the same amount needs no new consent. */
  async function renew(oldOut: string): Promise<void> {
    const current = flow.get()
    if (current === null) return
    at({ kind: 'renewing', oldOut })
    const { from, to, amountIn } = current.offer.quote
    try {
      const quote = await deps.quote({ from, to, amount: amountIn })
      // Closed meanwhile, or another exchange was begun.
      if (flow.get()?.offer !== current.offer) return
      const step: Step = quote.amountOut === oldOut ? { kind: 'review' } : { kind: 'moved', oldOut }
      flow.set({ ...current, offer: { quote, endsAt: endOf(quote, deps.now()) }, step })
    } catch (error) {
      if (flow.get()?.offer !== current.offer) return
      at({ kind: 'failed', message: error instanceof ApiError ? error.message : null })
    }
  }

  const resume = createResume<NonNullable<Flow>, 'exchange'>({
    flow,
    pending,
    accountOf: ({ account }) => account,
    flowOf: (account, { quote }) => ({ account, offer: { quote, endsAt: 0 }, step: { kind: 'noAnswer' } }),
  })

  return {
    flow,
    /** Begins another one, unless the one before has no answer yet: that comes first. */
    review: (account: string, offer: Offer): void => {
      if (!resume(account)) flow.set({ account, offer, step: { kind: 'review' } })
    },
    close: () => flow.set(null),
    confirm,
    resume,
    /** Called while the clock runs: a quote that is over while it is looked at is replaced by another. */
    tick: async (): Promise<void> => {
      const current = flow.get()
      if (current === null || deps.now() < current.offer.endsAt) return
      const { step, offer } = current
      if (step.kind === 'review') await renew(offer.quote.amountOut)
      // What was seen last and agreed to first stays the figure to compare with.
      if (step.kind === 'moved') await renew(step.oldOut)
    },
    /** Asks again for the answer that is still missing. */
    askAgain: async (): Promise<void> => {
      const current = flow.get()
      const sent = current?.step.kind === 'noAnswer' ? pending.of(current.account) : null
      if (current !== null && sent !== null) await send(current.account, sent)
    },
  }
}
