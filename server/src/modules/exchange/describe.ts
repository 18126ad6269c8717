import type { Data } from '@candela/protocol/endpoints'
import { exchangeRate } from '@candela/protocol/money/exchange'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Selectable } from 'kysely'
import type { Tables } from '../../db/tables/index.ts'

type Quote = Data<'POST exchange/quote'>
type Described = Omit<Quote, 'quoteNo' | 'createdAt' | 'expiresAt' | 'hourLeft'>
type Row = Omit<Selectable<Tables['exchange_quote']>, 'id' | 'quote_no' | 'created_at' | 'expires_at' | 'member_id'>

/** The fields that a quote and an exchange have in common, as the API gives them: all that the figures can be computed from. */
export const describeTerms = (row: Row): Described => ({
  from: row.from_asset,
  to: row.to_asset,
  amountIn: fromBaseUnits(row.amount_in),
  rate: fromBaseUnits(exchangeRate({ fromPrice: row.from_price, toPrice: row.to_price })),
  fee: fromBaseUnits(row.fee),
  amountOut: fromBaseUnits(row.amount_out),
  feePpm: row.fee_ppm,
  baseFeePpm: row.base_fee_ppm,
  level: row.level,
  discountPercent: row.discount,
  prices: row.evidence,
})
