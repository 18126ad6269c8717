import type { Handlers } from '../../../kernel/handler.ts'
import type { LeverDeps } from './deps.ts'
import { addToMargin, closePosition, openPosition } from './positions.ts'
import { getOptions, getQuote, quoteClose } from './quote.ts'

export function leverHandlers(
  deps: LeverDeps,
): Handlers<
  | 'GET lever/options'
  | 'GET lever/quote'
  | 'GET lever/closeQuote'
  | 'POST lever/open'
  | 'POST lever/addMargin'
  | 'POST lever/close'
> {
  return {
    'GET lever/options': (_input, { memberId, now }) => getOptions(deps.db, { memberId, now }),
    'GET lever/quote': (input, { memberId, now }) => getQuote(deps.db, input, { memberId, now }),
    'GET lever/closeQuote': (input, { memberId, now }) => quoteClose(deps.db, input, { memberId, now }),
    'POST lever/open': (input, { memberId, now }) => openPosition(deps, input, { memberId, now }),
    'POST lever/addMargin': (input, { memberId, now }) => addToMargin(deps, input, { memberId, now }),
    'POST lever/close': (input, { memberId, now }) => closePosition(deps, input, { memberId, now }),
  }
}
