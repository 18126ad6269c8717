import { addDays, utcDay } from '@candela/protocol/calendar'
import { codes } from '@candela/protocol/codes/codes'
import {
  type LeverTerms,
  leverTerms,
  leverTermsOf,
  MAX_RATIO_TENTHS,
  MIN_RATIO_TENTHS,
} from '@candela/protocol/lending/lever/leverage'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { collateralAssets } from '@candela/protocol/lending/choices'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { PPM } from '@candela/protocol/units'
import { type Price, type Prices, readPrices } from '../../../chain/price/price.ts'
import { higherPrice, leveragePrice, lowerPrice } from '../../../chain/price/use-price.ts'
import { chargesOf, describeCharges, minMarginOf, rateText } from '../../../db/lending-settings.ts'
import type { Database } from '../../../db/open.ts'
import { readSettings, type Settings } from '../../../db/settings.ts'
import { must } from '../../../kernel/assert.ts'
import { AppError } from '../../../kernel/errors.ts'
import { accountBalance } from '../../../ledger/balances.ts'
import { memberAccount, platformAccount } from '../../../ledger/chart.ts'
import { readHourLeft } from '../../exchange/desk-limit.ts'
import { readFeePpm } from '../../exchange/read-fee.ts'
import { readFundIdle } from '../../fund/read-fund.ts'
import { readPart } from '../loan/lever/lever-loan.ts'
import { ceilingOf, readCeilingLeft } from '../project/ceiling.ts'
import type { Caller } from './deps.ts'
import { planClose } from './plan-close.ts'

type Options = Data<'GET lever/options'>
type PriceData = Data<'GET lever/quote'>['price']
type Position = Pick<HandlerInput<'GET lever/quote'>, 'asset' | 'margin' | 'ratio' | 'days'>

/** The highest ratio lends this part of what is bought. */
export const INITIAL_PPM = Number(PPM - (PPM * 10n) / BigInt(MAX_RATIO_TENTHS))

/** Reads the terms that leveraged loans are offered with now. */
export async function getOptions(db: Database, { memberId, now }: Caller): Promise<Options> {
  const [settings, prices, available, fundIdle] = await Promise.all([
    readSettings(db),
    readPrices(db, now),
    accountBalance(db, memberAccount(memberId, 'memberAvailable', 'USDT')),
    readFundIdle(db),
  ])
  const [feePpm, ...left] = await Promise.all([
    readFeePpm(db, memberId),
    ...collateralAssets.map((asset) => readCeilingLeft(db, asset, memberId, ceilingOf(prices[asset], settings, now))),
  ])
  return {
    assets: collateralAssets.map((asset, nth) => {
      const price = prices[asset]
      const { paused } = price
      const ratio = paused ? null : maxRatio(price, feePpm, settings)
      return {
        asset,
        price: paused ? null : describePrice(price),
        paused,
        maxRatio: ratio === null ? null : fromBaseUnits(BigInt(ratio), 1),
        ceilingLeft: fromBaseUnits(left[nth] ?? 0n),
      }
    }),
    termDays: [...leverTerms],
    minRatio: fromBaseUnits(BigInt(MIN_RATIO_TENTHS), 1),
    maxRatio: fromBaseUnits(BigInt(MAX_RATIO_TENTHS), 1),
    rate: rateText(settings.leverRatePpm),
    safetyLine: rateText(settings.leverSafetyPpm),
    clearingLine: rateText(settings.leverClearingPpm),
    minMargin: fromBaseUnits(minMarginOf(settings)),
    available: fromBaseUnits(available),
    fundIdle: fromBaseUnits(fundIdle),
    charges: describeCharges(chargesOf(settings)),
  }
}

/** The greatest ratio, in tenths, with which a position would not begin at its clearing line; null when there is none. */
function maxRatio(price: Price, feePpm: number, settings: Settings): number | null {
  const quoted = {
    margin: minMarginOf(settings),
    buyPrice: higherPrice(price),
    debtPrice: leveragePrice(price),
    days: 1,
  }
  for (let ratio_tenths = MAX_RATIO_TENTHS; ratio_tenths >= MIN_RATIO_TENTHS; ratio_tenths -= 1) {
    const terms = leverTermsOf({ ...quoted, ...chargesAndLines(feePpm, settings), ratio_tenths })
    if (terms.status !== 'liquidating') return ratio_tenths
  }
  return null
}

const chargesAndLines = (feePpm: number, settings: Settings) => ({
  fee_ppm: BigInt(feePpm),
  rate_ppm: BigInt(settings.leverRatePpm),
  lines: { safety_ppm: BigInt(settings.leverSafetyPpm), clearing_ppm: BigInt(settings.leverClearingPpm) },
})

/** Describes the price at which collateral counts for new debt, with what it was chosen from. @throws AppError 5031 */
function describePrice(price: Price): PriceData {
  const { asset, spot, average, dayAverage, pair, blockNumber, observedAt } = price
  if (asset === 'USDT') throw new RangeError('USDT is no collateral')
  return {
    asset,
    used: fromBaseUnits(leveragePrice(price)),
    spot: fromBaseUnits(must(spot ?? undefined, 'a price in use has a spot price')),
    average: fromBaseUnits(must(average ?? undefined, 'a price in use has an average')),
    dayAverage: dayAverage === null ? null : fromBaseUnits(dayAverage),
    weekAverage: null,
    pair: must(pair ?? undefined, 'a price in use is of a pair'),
    blockNumber: Number(blockNumber),
    observedAt: must(observedAt?.toISOString(), 'a price in use was observed'),
  }
}

export type Quoted = { terms: LeverTerms; buyPrice: bigint; feePpm: number; prices: Prices; settings: Settings }

/** @throws AppError 4304, 5031, 4206 with what the desk has, 4302 with what the fund has, 4301 with what the ceiling leaves */
export async function quotePosition(
  db: Database,
  { asset, margin, ratio, days }: Position,
  { memberId, now }: Caller,
): Promise<Quoted> {
  const [settings, prices, feePpm] = await Promise.all([
    readSettings(db),
    readPrices(db, now),
    readFeePpm(db, memberId),
  ])
  const minimum = minMarginOf(settings)
  if (margin < minimum) throw new AppError(codes.marginTooSmall, { minimum: fromBaseUnits(minimum) })
  const buyPrice = higherPrice(prices[asset])
  const terms = leverTermsOf({
    margin,
    ratio_tenths: ratio,
    buyPrice,
    debtPrice: leveragePrice(prices[asset]),
    days,
    ...chargesAndLines(feePpm, settings),
  })
  const stock = await accountBalance(db, platformAccount('deskInventory', asset))
  if (terms.bought + terms.fee > stock) {
    throw new AppError(codes.deskShort, { limit: `${fromBaseUnits(stock)} ${asset}` })
  }
  const idle = await readFundIdle(db)
  if (terms.loan > idle) throw new AppError(codes.fundShort, { limit: fromBaseUnits(idle) })
  const left = await readCeilingLeft(db, asset, memberId, ceilingOf(prices[asset], settings, now))
  if (terms.loan > left) throw new AppError(codes.overCreditLimit, { limit: fromBaseUnits(left) })
  return { terms, buyPrice, feePpm, prices, settings }
}

export async function getQuote(
  db: Database,
  input: HandlerInput<'GET lever/quote'>,
  caller: Caller,
): Promise<Data<'GET lever/quote'>> {
  const { terms, buyPrice, feePpm, prices, settings } = await quotePosition(db, input, caller)
  return {
    asset: input.asset,
    margin: fromBaseUnits(input.margin),
    ratio: fromBaseUnits(BigInt(input.ratio), 1),
    loan: fromBaseUnits(terms.loan),
    total: fromBaseUnits(terms.total),
    buyPrice: fromBaseUnits(buyPrice),
    feePpm,
    fee: fromBaseUnits(terms.fee),
    bought: fromBaseUnits(terms.bought),
    price: describePrice(prices[input.asset]),
    rate: rateText(settings.leverRatePpm),
    interestPerDay: fromBaseUnits(terms.interestPerDay),
    interest: fromBaseUnits(terms.interest),
    repayment: fromBaseUnits(terms.repayment),
    dueOn: addDays(utcDay(caller.now), input.days),
    mortgageRate: rateText(terms.rate ?? 0n),
    safetyLine: rateText(settings.leverSafetyPpm),
    clearingLine: rateText(settings.leverClearingPpm),
    status: terms.status,
    liquidationPrice: fromBaseUnits(terms.liquidationPrice),
    fall: rateText(terms.fall),
    risk: terms.risk,
  }
}

/**
 * Computes what closing a part of a position would do now.
 * @throws AppError 404, 4303, 5031
 */
export async function quoteClose(
  db: Database,
  { loanNo, percent }: HandlerInput<'GET lever/closeQuote'>,
  { memberId, now }: Caller,
): Promise<Data<'GET lever/closeQuote'>> {
  const [part, prices, { deskHourBps: hourBps }, feePpm] = await Promise.all([
    readPart(db, { loanNo, memberId, percent, now }),
    readPrices(db, now),
    readSettings(db),
    readFeePpm(db, memberId),
  ])
  const { asset, amount, due } = part
  const price = prices[asset]
  const flow = () => ({ from: asset, to: 'USDT' as const, fromPrice: lowerPrice(price) })
  const fitsHour = !price.paused && amount <= (await readHourLeft(db, flow(), { prices, hourBps, now }))
  const plan = planClose(part, price, BigInt(feePpm), fitsHour)
  return {
    part: fromBaseUnits(amount),
    worth: fromBaseUnits(plan.worth),
    sold: fromBaseUnits(plan.sold),
    salePrice: fromBaseUnits(plan.price),
    fee: fromBaseUnits(plan.fee),
    proceeds: fromBaseUnits(plan.proceeds),
    repaid: fromBaseUnits(due),
    returned: fromBaseUnits(plan.proceeds > due ? plan.proceeds - due : 0n),
    kept: fromBaseUnits(amount - plan.sold),
  }
}
