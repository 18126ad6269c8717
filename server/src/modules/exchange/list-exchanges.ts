import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../db/open.ts'
import { describeTerms } from './describe.ts'

type Exchange = Data<'GET exchange/list'>['items'][number]

export type ExchangeFilter = { memberId: bigint; exchangeNo?: string; before?: bigint | undefined; limit: number }

/** A member's exchanges, newest first. */
export async function readExchanges(
  db: Database,
  { memberId, exchangeNo, before, limit }: ExchangeFilter,
): Promise<{ id: bigint; exchange: Exchange }[]> {
  const rows = await db
    .selectFrom('exchange as e')
    .innerJoin('exchange_quote as q', 'q.id', 'e.quote_id')
    .selectAll('e')
    .select(['q.from_price as quoted_from_price', 'q.to_price as quoted_to_price'])
    .where('e.member_id', '=', memberId)
    .$if(exchangeNo !== undefined, (query) => query.where('e.exchange_no', '=', exchangeNo ?? ''))
    .$if(before !== undefined, (query) => query.where('e.id', '<', before ?? 0n))
    .orderBy('e.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => {
    const isQuotes = row.from_price === row.quoted_from_price && row.to_price === row.quoted_to_price
    return {
      id: row.id,
      exchange: {
        exchangeNo: row.exchange_no,
        ...describeTerms(row),
        quotedOut: fromBaseUnits(row.quoted_out),
        minReceived: fromBaseUnits(row.min_received),
        pricedBy: isQuotes ? 'quote' : 'execution',
        createdAt: row.created_at.toISOString(),
      },
    }
  })
}
