import { daysBetween } from '@candela/protocol/calendar'
import { annualRate, sharePrice } from '@candela/protocol/credit/fund'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import type { Selectable } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables/index.ts'

export type PriceRow = Selectable<Tables['fund_price']>

/** Over so many days the rate is taken. */
const RATE_DAYS = 7

/** The last closed days, oldest first. */
export async function readCloses(db: Database, limit: number): Promise<PriceRow[]> {
  const rows = await db
    .selectFrom('fund_price')
    .selectAll()
    .where('day', 'is not', null)
    .orderBy('day', 'desc')
    .limit(limit)
    .execute()
  return rows.toReversed()
}

/** The share price of the fund after a recorded change. */
export const priceAfter = ({ assets_after, shares }: PriceRow): bigint => sharePrice({ assets: assets_after, shares })

/** Annualised from the share prices at the last close and seven days before it, or at the first one that there is. */
export function rateOf(closes: readonly PriceRow[]): Pick<Data<'GET finance/info'>, 'rate' | 'rateDays'> {
  const last = closes.at(-1)
  const first = closes.at(-1 - RATE_DAYS) ?? closes[0]
  if (!last?.day || !first?.day || first === last) return { rate: null, rateDays: 0 }
  const rateDays = daysBetween(first.day, last.day)
  // After total losses a share may be worth less than a base unit.
  if (priceAfter(first) === 0n) return { rate: null, rateDays: 0 }
  const rate = annualRate(priceAfter(first), priceAfter(last), rateDays)
  return { rate: fromBaseUnits(rate, RATE_DECIMALS), rateDays }
}

/** The fund's annualised rate as a fraction; null until two days are closed. */
export const readFundRate = async (db: Database): Promise<string | null> =>
  rateOf(await readCloses(db, RATE_DAYS + 1)).rate
