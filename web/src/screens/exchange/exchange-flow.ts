import { codes } from '@candela/protocol/codes/codes'
import type { CallInput, Data } from '@candela/protocol/endpoints'
import { minReceivedFor } from '@candela/protocol/money/exchange'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { ApiError } from '@candela/client/errors'
import type { About, CommandInput } from '../../command/command-keys.ts'
import { NotSent } from '../../command/send-command.ts'
import { createStore } from '../../lib/store.ts'

export type Quote = Data<'POST exchange/quote'>
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

/** `account`: whose it is. */
export type Flow = { account: string; offer: Offer; step: Step } | null

export type FlowDeps = {
  quote: (input: CallInput<'POST exchange/quote'>) => Promise<Quote>
  /** Once for what is asked for, also when its answer is lost. @throws ApiError, NotSent */
  send: (input: CommandInput<'POST exchange/index'>, about: About) => Promise<{ exchange: Exchange }>
  /** Whether an earlier one has no outcome yet: then it is shown. */
  showsEarlier: () => boolean
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
 * One exchange from the summary to its end. What is agreed to is always the quote on screen, and no other. Without an
 * outcome it ends too: then it is shown apart, and comes before any new one.
 */
export function createExchangeFlow(deps: FlowDeps) {
  const flow = createStore<Flow>(null)

  const at = (step: Step) => {
    const current = flow.get()
    if (current !== null) flow.set({ ...current, step })
  }

  async function confirm(): Promise<void> {
    const current = flow.get()
    if (current === null || (current.step.kind !== 'review' && current.step.kind !== 'moved')) return
    const { quote } = current.offer
    const { quoteNo, from, to, amountIn: amount } = quote
    at({ kind: 'sending' })
    try {
      const { exchange } = await deps.send({ quoteNo, minReceived: agreedMin(quote) }, { from, to, amount })
      at({ kind: 'done', exchange })
    } catch (error) {
      if (error instanceof NotSent) flow.set(null)
      else if (error instanceof ApiError && error.code === codes.priceMoved) await renew(quote.amountOut)
      else at({ kind: 'failed', message: error instanceof ApiError ? error.message : null })
    }
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

  return {
    flow,
    /** Begins another one, unless one before has no outcome yet: that comes first. */
    review: (account: string, offer: Offer): void => {
      if (!deps.showsEarlier()) flow.set({ account, offer, step: { kind: 'review' } })
    },
    close: () => flow.set(null),
    confirm,
    /** An exchange that another account has left on this page is not shown to this one. */
    leave: (account: string): void => {
      if (flow.get()?.account !== account) flow.set(null)
    },
    /** Called while the clock runs: a quote that is over while it is looked at is replaced by another. */
    tick: async (): Promise<void> => {
      const current = flow.get()
      if (current === null || deps.now() < current.offer.endsAt) return
      const { step, offer } = current
      if (step.kind === 'review') await renew(offer.quote.amountOut)
      // The amount that was seen last and agreed to first stays the figure to compare with.
      if (step.kind === 'moved') await renew(step.oldOut)
    },
  }
}
