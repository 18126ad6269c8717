import { addDays, utcDay } from '@candela/protocol/calendar'
import { codes } from '@candela/protocol/codes/codes'
import { dayInterest, interestOf } from '@candela/protocol/lending/interest'
import { collateralFor, fallTo, maxDebt, mortgageRate, priceAtLine } from '@candela/protocol/lending/lines'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { minLoanOf, rateText } from '../../../../db/lending-settings.ts'
import type { Database } from '../../../../db/open.ts'
import { readSettings, type Settings } from '../../../../db/settings.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { accountBalance } from '../../../../ledger/balances.ts'
import { memberAccount } from '../../../../ledger/chart.ts'
import { type Project, readProject } from '../../project/lend.ts'
import { readPrices } from '../../../../chain/price/price.ts'
import { readFundIdle } from '../../../fund/read-fund.ts'
import { debtPrice } from '../prices.ts'
import { ceilingOf, requireBelowCeiling } from '../../project/ceiling.ts'

/**
 * Computes what a loan would cost, with what it would be liquidated at. Without a collateral, with the least that is needed.
 * @throws AppError 404, 4202, 4301 with what the collateral or the ceiling is enough for, 4302, 4305, 5031
 */
export async function quoteLoan(
  db: Database,
  input: HandlerInput<'GET lending/quote'>,
  { memberId, now }: { memberId: bigint; now: Date },
): Promise<Data<'GET lending/quote'>> {
  const { amount, days } = input
  const [project, prices, settings] = await Promise.all([
    readProject(db, input.projectNo),
    readPrices(db, now),
    readSettings(db),
  ])
  requireLendable(project, amount, await readFundIdle(db), settings)
  const asset = project.collateral_asset
  const price = debtPrice(prices, asset)
  const needed = collateralFor(amount, price.used, BigInt(project.initial_ppm))
  const collateral = input.collateral ?? needed
  requireSecured(project, amount, collateral, price.used)
  await requireBelowCeiling(db, { asset, memberId, amount }, ceilingOf(prices[asset], settings, now))
  const rate_ppm = BigInt(project.rate_ppm)
  const interest = interestOf(amount, rate_ppm, days)
  const perDay = dayInterest(amount, rate_ppm)
  // The first day is owed from the start.
  const secured = { debt: amount + perDay, collateral }
  const liquidationPrice = priceAtLine(secured, BigInt(project.clearing_ppm)) ?? 0n
  return {
    amount: fromBaseUnits(amount),
    collateralNeeded: fromBaseUnits(needed),
    collateral: fromBaseUnits(collateral),
    collateralAvailable: fromBaseUnits(await accountBalance(db, memberAccount(memberId, 'memberAvailable', asset))),
    price: price.evidence,
    rate: rateText(rate_ppm),
    interestPerDay: fromBaseUnits(perDay),
    interest: fromBaseUnits(interest),
    repayment: fromBaseUnits(amount + interest),
    dueOn: addDays(utcDay(now), days),
    mortgageRate: rateText(mortgageRate(secured, price.used) ?? 0n),
    safetyPrice: fromBaseUnits(priceAtLine(secured, BigInt(project.safety_ppm)) ?? 0n),
    liquidationPrice: fromBaseUnits(liquidationPrice),
    fall: rateText(fallTo(price.used, liquidationPrice)),
  }
}

/** @throws AppError 4305, 4202, 4302 with what the project and the fund can lend */
export function requireLendable(project: Project, amount: bigint, fundIdle: bigint, settings: Settings): void {
  if (project.closed_at !== null) throw new AppError(codes.projectClosed)
  const minimum = minLoanOf(settings)
  if (amount < minimum) throw new AppError(codes.belowMinimum, { minimum: `${fromBaseUnits(minimum)} USDT` })
  const left = project.total - project.borrowed
  const limit = left < fundIdle ? left : fundIdle
  if (amount > limit) throw new AppError(codes.fundShort, { limit: fromBaseUnits(limit) })
}

/** @throws AppError 4301 with what the collateral is enough for */
export function requireSecured(
  { initial_ppm }: Pick<Project, 'initial_ppm'>,
  amount: bigint,
  collateral: bigint,
  price: bigint,
): void {
  const limit = maxDebt(collateral, price, BigInt(initial_ppm))
  if (amount > limit) throw new AppError(codes.overCreditLimit, { limit: fromBaseUnits(limit) })
}
