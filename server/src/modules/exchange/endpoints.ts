import { pageQuery, toPage } from '../../db/page.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { executeExchange } from './execute.ts'
import { readExchanges } from './list-exchanges.ts'
import { listPriceHistory, listPrices } from './list-prices.ts'
import { quoteExchange, type QuoteDeps } from './quote.ts'

export function exchangeHandlers(
  deps: QuoteDeps,
): Handlers<
  'POST exchange/quote' | 'POST exchange/index' | 'GET exchange/list' | 'GET user/priceInfo' | 'GET user/priceHistory'
> {
  return {
    'POST exchange/quote': (input, { memberId, now }) => quoteExchange(deps, input, { memberId, now }),
    'POST exchange/index': (input, { memberId, now }) => executeExchange(deps, input, { memberId, now }),
    'GET user/priceInfo': (_input, { now }) => listPrices(deps.db, now),
    'GET user/priceHistory': ({ asset, days }, { now }) => listPriceHistory(deps.db, asset, days, now),
    'GET exchange/list': async (input, { memberId }) => {
      const { before, limit } = pageQuery(input)
      const rows = await readExchanges(deps.db, { memberId, before, limit: limit + 1 })
      return toPage(rows, limit, (row) => row.exchange)
    },
  }
}
