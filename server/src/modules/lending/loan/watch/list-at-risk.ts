import { utcDay } from '@candela/protocol/calendar'
import { collateralAssets } from '@candela/protocol/lending/choices'
import { fallTo, mortgageRate, priceAtLine, safetyStatus } from '@candela/protocol/lending/lines'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { RATE_DECIMALS } from '@candela/protocol/units'
import type { Prices } from '../../../../chain/price/price.ts'
import { rateText } from '../../../../db/lending-settings.ts'
import type { Database } from '../../../../db/open.ts'
import { watchPrice } from '../prices.ts'
import { type LoanRecord, securedOf, termsOf } from '../record/loan-record.ts'
import { chargeStep } from '../record/steps.ts'
import { readDues } from '../record/store.ts'

/**
 * The open loans that are nearest to their clearing line, of each collateral, charged up to today: the bounds find them, and
 * exact figures put them in order. Without a price there is no rate, and the order is that of the bounds.
 */
export async function listAtRisk(db: Database, prices: Prices, limit: number, now: Date) {
  const lists = await Promise.all(
    collateralAssets.map(async (asset) => {
      const rows = await db
        .selectFrom('loan_with_debt')
        .selectAll()
        .where('collateral_asset', '=', asset)
        .where('closed_at', 'is', null)
        .orderBy('watch_price', 'desc')
        .limit(limit)
        .execute()
      const dues = await readDues(
        db,
        rows.map(({ id }) => id),
      )
      const price = watchPrice(prices, asset)?.used ?? null
      return rows.map((row) => {
        const loan = chargeStep({ row, dues: dues.get(row.id) ?? [] }, utcDay(now), now).loan
        return { loan, price, fall: fallOf(loan, price) }
      })
    }),
  )
  return lists
    .flat()
    .toSorted((one, other) => (one.fall < other.fall ? -1 : one.fall > other.fall ? 1 : 0))
    .slice(0, limit)
    .map(describe)
}

type AtRisk = { loan: LoanRecord; price: bigint | null; fall: bigint }

/** How far the price may fall, in millionths. */
function fallOf({ row }: LoanRecord, price: bigint | null): bigint {
  const line = priceAtLine(securedOf(row), termsOf(row).clearing_ppm)
  return price === null || line === null ? 0n : fallTo(price, line)
}

function describe({ loan: { row }, price, fall }: AtRisk) {
  const secured = securedOf(row)
  const rate = price === null ? null : mortgageRate(secured, price)
  const line = priceAtLine(secured, termsOf(row).clearing_ppm)
  return {
    loan: row.loan_no,
    kind: row.kind,
    state: row.state,
    status: price === null ? 'no price' : safetyStatus(secured, price, termsOf(row)),
    collateral: `${fromBaseUnits(row.collateral)} ${row.collateral_asset}`,
    debt: fromBaseUnits(secured.debt),
    mortgageRate: rate === null ? null : rateText(rate),
    clearingLine: rateText(row.clearing_ppm),
    liquidationPrice: line === null ? null : fromBaseUnits(line),
    mayFall: price === null ? null : fromBaseUnits(fall, RATE_DECIMALS),
    dueOn: row.due_on,
  }
}

/** Open loans at their safety line, and those of which a sale is not complete. */
export async function countAtRisk(db: Database): Promise<{ called: number; liquidating: number }> {
  const open = db.selectFrom('loan').select(({ fn }) => fn.countAll<bigint>().as('count'))
  const [called, liquidating] = await Promise.all([
    open.where('closed_at', 'is', null).where('warned_at', 'is not', null).executeTakeFirstOrThrow(),
    open.where('state', '=', 'liquidating').executeTakeFirstOrThrow(),
  ])
  return { called: Number(called.count), liquidating: Number(liquidating.count) }
}
