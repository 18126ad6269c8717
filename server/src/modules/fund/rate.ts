import { daysBetween } from '@candela/protocol/calendar'
import { fundRate, sharePrice } from '@candela/protocol/fund/fund'
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

type Close = { row: PriceRow; day: string }
type Rate = { rate: string; rateDays: number; first: Close; last: Close }

/**
 * From the share prices at the last close, after what was lost since, and seven days before it, or at the first close that there is.
 * Null until two days are closed, and where the first price is 0.
 */
async function rateFrom(db: Database, closes: readonly PriceRow[]): Promise<Rate | null> {
  const last = closes.at(-1)
  const first = closes.at(-1 - RATE_DAYS) ?? closes[0]
  if (!last?.day || !first?.day || first === last) return null
  // After total losses a share may be worth less than a base unit.
  if (priceAfter(first) === 0n) return null
  const row = await readNewest(db)
  const rateDays = daysBetween(first.day, last.day)
  const rate = fromBaseUnits(fundRate(priceAfter(first), priceAfter(row), rateDays), RATE_DECIMALS)
  return { rate, rateDays, first: { row: first, day: first.day }, last: { row, day: last.day } }
}

/** The last close, or a deficit after it. */
const readNewest = (db: Database): Promise<PriceRow> =>
  db
    .selectFrom('fund_price')
    .selectAll()
    .orderBy('place', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

type InfoRate = Pick<Data<'GET finance/info'>, 'rate' | 'rateDays' | 'rateCloses'>

export async function rateOf(db: Database, closes: readonly PriceRow[]): Promise<InfoRate> {
  const found = await rateFrom(db, closes)
  if (found === null) return { rate: null, rateDays: 0, rateCloses: null }
  return { rate: found.rate, rateDays: found.rateDays, rateCloses: describe(found) }
}

type PublicRate = Pick<Data<'GET home/public'>, 'fundRate' | 'fundRateCloses'>

/** The fund's rate as a fraction, with the two closes that it is computed from. */
export async function readFundRate(db: Database): Promise<PublicRate> {
  const found = await rateFrom(db, await readCloses(db, RATE_DAYS + 1))
  if (found === null) return { fundRate: null, fundRateCloses: null }
  return { fundRate: found.rate, fundRateCloses: describe(found) }
}

const describe = ({ first, last }: Rate) => ({ first: describeClose(first), last: describeClose(last) })

const describeClose = ({ row, day }: Close) => ({
  day,
  assets: fromBaseUnits(row.assets_after),
  shares: fromBaseUnits(row.shares),
})
