import { codes } from '@candela/protocol/codes'
import type { CallInput, Data } from '@candela/protocol/endpoints'
import { leastReceived } from '@candela/protocol/exchange'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money'
import { ApiError } from '../../api/errors.ts'
import { createStore } from '../../ui/store.ts'

export type Quote = Data<'POST exchange/quote'>
export type Exchange = Data<'POST exchange/index'>['exchange']

/** A quote and when it ends by this device's clock, in milliseconds: from when it came, because that clock may be wrong. */
export type Offer = { quote: Quote; endsAt: number }

export type Stage =
  | { kind: 'review' | 'sending' }
  /** Another quote is being asked for, because the price moved or the time was up. */
  | { kind: 'renewing'; oldOut: string }
  /** The new quote gives something else than what was seen: it is asked again. */
  | { kind: 'moved'; oldOut: string }
  | { kind: 'done'; exchange: Exchange }
  /** Nothing happened, in the words of the service; or without, when no new quote came. */
  | { kind: 'failed'; message: string | null }
  /** No answer came: it may have been done, and asking again cannot do it twice. */
  | { kind: 'unanswered' }

export type Flow = { offer: Offer; stage: Stage } | null

export type FlowDeps = {
  quote: (input: CallInput<'POST exchange/quote'>) => Promise<Quote>
  /** Keeps the request id of the same wish until an answer came. */
  send: (wish: Omit<CallInput<'POST exchange/index'>, 'requestId'>) => Promise<{ exchange: Exchange }>
  now: () => number
}

/** What the desk says is good for so long; taken from the quote, because clocks differ. */
export const endOf = ({ createdAt, expiresAt }: Quote, receivedAt: number): number =>
  receivedAt + Date.parse(expiresAt) - Date.parse(createdAt)

/** The least that is agreed to with a quote, as it is shown and sent. */
export function agreedLeast({ amountOut }: Quote): string {
  const least = leastReceived(toBaseUnits(amountOut))
  return fromBaseUnits(least > 0n ? least : 1n)
}

/** One exchange from the summary to its end. What is agreed to is always the quote on screen, and no other. */
export function createExchangeFlow(deps: FlowDeps) {
  const flow = createStore<Flow>(null)

  const at = (stage: Stage) => {
    const current = flow.get()
    if (current !== null) flow.set({ ...current, stage })
  }

  async function confirm(): Promise<void> {
    const current = flow.get()
    if (current === null || (current.stage.kind !== 'review' && current.stage.kind !== 'moved')) return
    await send(current.offer)
  }

  async function send({ quote }: Offer): Promise<void> {
    at({ kind: 'sending' })
    try {
      const { exchange } = await deps.send({ quoteNo: quote.quoteNo, minReceived: agreedLeast(quote) })
      at({ kind: 'done', exchange })
    } catch (error) {
      if (!(error instanceof ApiError) || !isDecisive(error.code)) at({ kind: 'unanswered' })
      else if (error.code === codes.priceMoved) await renew(quote.amountOut)
      else at({ kind: 'failed', message: error.message })
    }
  }

  /** Asks for another quote of the same; one that gives the same needs no second look. */
  async function renew(oldOut: string): Promise<void> {
    const current = flow.get()
    if (current === null) return
    at({ kind: 'renewing', oldOut })
    const { from, to, amountIn } = current.offer.quote
    try {
      const quote = await deps.quote({ from, to, amount: amountIn })
      // Closed meanwhile, or another exchange was begun.
      if (flow.get()?.offer !== current.offer) return
      const stage: Stage = quote.amountOut === oldOut ? { kind: 'review' } : { kind: 'moved', oldOut }
      flow.set({ offer: { quote, endsAt: endOf(quote, deps.now()) }, stage })
    } catch (error) {
      if (flow.get()?.offer !== current.offer) return
      at({ kind: 'failed', message: error instanceof ApiError ? error.message : null })
    }
  }

  return {
    flow,
    review: (offer: Offer) => flow.set({ offer, stage: { kind: 'review' } }),
    close: () => flow.set(null),
    confirm,
    /** Called while the clock runs: a quote that is over while it is looked at is replaced by another. */
    tick: async (): Promise<void> => {
      const current = flow.get()
      if (current === null || deps.now() < current.offer.endsAt) return
      const { stage, offer } = current
      if (stage.kind === 'review') await renew(offer.quote.amountOut)
      // What was seen last and agreed to first stays the figure to compare with.
      if (stage.kind === 'moved') await renew(stage.oldOut)
    },
    /** Asks again for the answer that is still missing. */
    askAgain: async (): Promise<void> => {
      const current = flow.get()
      if (current?.stage.kind === 'unanswered') await send(current.offer)
    },
  }
}

/** A fault of the server, a session that ended, or too many requests leave open whether it was done. */
const isDecisive = (code: number): boolean =>
  code !== codes.ourFault && code !== codes.slowDown && code !== codes.noSession
