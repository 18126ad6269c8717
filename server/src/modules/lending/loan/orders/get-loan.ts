import { utcDay } from '@candela/protocol/calendar'
import { codes } from '@candela/protocol/codes/codes'
import { mortgageRate, releasable } from '@candela/protocol/lending/lines'
import { isPaid } from '@candela/protocol/lending/loan'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import type { LoanItem } from '@candela/protocol/endpoints/lending'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Selectable } from 'kysely'
import { describeCharges, rateText } from '../../../../db/lending-settings.ts'
import type { Database } from '../../../../db/open.ts'
import type { Tables } from '../../../../db/tables/index.ts'
import { AppError, isAppError } from '../../../../kernel/errors.ts'
import { readPrices } from '../../../../chain/price/price.ts'
import type { LoanRow } from '../record/loan-record.ts'
import { nextDueOf, securedOf, termsOf } from '../record/loan-record.ts'
import { debtPrice } from '../prices.ts'
import { asOfToday, describeLoan, type FoundLoan } from './describe-loan.ts'
import { findLoans } from './find-loans.ts'

type Detail = Data<'GET lending/detail'>
type Caller = { memberId: bigint; now: Date }

/** @throws AppError 404 */
export async function findLoan(db: Database, loanNo: string, memberId: bigint): Promise<FoundLoan> {
  const [found] = await findLoans(db, { memberId, loanNo, limit: 1 })
  if (found === undefined) throw new AppError(codes.notFound)
  return found
}

/** A loan of the caller as every endpoint shows it. */
export async function showLoan(db: Database, loanNo: string, { memberId, now }: Caller): Promise<LoanItem> {
  return describeLoan(await findLoan(db, loanNo, memberId), await readPrices(db, now), now)
}

export async function getLoan(
  db: Database,
  { loanNo }: HandlerInput<'GET lending/detail'>,
  { memberId, now }: Caller,
): Promise<Detail> {
  const [found, prices] = await Promise.all([findLoan(db, loanNo, memberId), readPrices(db, now)])
  const record = asOfToday(found, now)
  const liquidations = await db
    .selectFrom('loan_liquidation')
    .selectAll()
    .where('loan_id', '=', found.row.id)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return {
    loan: describeLoan(found, prices, now),
    terms: describeCharges(termsOf(found.row)),
    dues: record.dues.map((due) => ({
      number: due.number,
      dueOn: due.dueOn,
      amount: due.amount === null ? null : fromBaseUnits(due.amount),
      paid: fromBaseUnits(due.paid),
      fee: fromBaseUnits(due.fee),
      feePaid: fromBaseUnits(due.feePaid),
      overdue: due.dueOn < utcDay(now) && !isPaid(due) && nextDueOf(record) !== undefined,
    })),
    liquidations: liquidations.map((row) => describeLiquidation(row, found.row)),
    releasable: releasableNow(record.row, () => debtPrice(prices, record.row.collateral_asset).used),
  }
}

function releasableNow(row: LoanRow, price: () => bigint): string | null {
  if (row.kind === 'lever' || row.closed_at !== null) return '0'
  try {
    return fromBaseUnits(releasable(securedOf(row), price(), BigInt(row.initial_ppm)))
  } catch (error) {
    if (isAppError(error, codes.pricePaused)) return null
    throw error
  }
}

function describeLiquidation(
  row: Selectable<Tables['loan_liquidation']>,
  loan: LoanRow,
): Detail['liquidations'][number] {
  const debt = row.principal + row.interest + row.charges
  const rate = mortgageRate({ debt, collateral: row.collateral }, row.watch_price)
  return {
    liquidationNo: row.liquidation_no,
    loanNo: loan.loan_no,
    reason: row.reason,
    full: row.is_full,
    collateralAsset: loan.collateral_asset,
    principal: fromBaseUnits(row.principal),
    interest: fromBaseUnits(row.interest),
    charges: fromBaseUnits(row.charges),
    collateral: fromBaseUnits(row.collateral),
    mortgageRate: rate === null ? null : rateText(rate),
    clearingLine: rateText(loan.clearing_ppm),
    watchPrice: fromBaseUnits(row.watch_price),
    salePrice: fromBaseUnits(row.sale_price),
    spot: fromBaseUnits(row.spot),
    average5: fromBaseUnits(row.average_5),
    median5: row.median_5 === null ? null : fromBaseUnits(row.median_5),
    average30: fromBaseUnits(row.average_30),
    averageDay: row.average_day === null ? null : fromBaseUnits(row.average_day),
    pair: row.pair,
    blockNumber: Number(row.block_number),
    observedAt: row.observed_at.toISOString(),
    windowBlocks:
      row.block_5 === null || row.block_30 === null || row.block_day === null
        ? null
        : { minutes5: Number(row.block_5), minutes30: Number(row.block_30), day: Number(row.block_day) },
    deskUsdt: fromBaseUnits(row.desk_usdt),
    sold: fromBaseUnits(row.sold),
    proceeds: fromBaseUnits(row.proceeds),
    repaid: fromBaseUnits(row.repaid),
    feeRate: rateText(loan.liquidation_fee_ppm),
    fee: fromBaseUnits(row.fee),
    returned: fromBaseUnits(row.returned),
    shortfall: fromBaseUnits(row.shortfall),
    reservePaid: fromBaseUnits(row.reserve_paid),
    fundLost: fromBaseUnits(row.fund_lost),
    incomplete: row.is_incomplete,
    at: row.at.toISOString(),
  }
}
