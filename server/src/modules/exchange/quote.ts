import { WHOLE_UNIT } from '@candela/protocol/units'
import { codes } from '@candela/protocol/codes/codes'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { exchangeAt, type ExchangeOutcome } from '@candela/protocol/money/exchange'
import { fromBaseUnits, mulDiv } from '@candela/protocol/money/money'
import { type Prices, readPrices } from '../../chain/price/price.ts'
import type { Database } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { accountBalance } from '../../ledger/balances.ts'
import { platformAccount } from '../../ledger/chart.ts'
import { readLevel } from '../member/read-level.ts'
import { choosePrice, type DeskPrice } from './choose-price.ts'
import { describeTerms } from './describe.ts'
import { readHourLeft, requireLeft } from './desk-limit.ts'
import { feeAt } from './fee.ts'

const endpoint = 'POST exchange/quote'

/** How long a quote may be used. */
export const QUOTE_MS = 30_000
const MICRO = 10n ** 12n

export type QuoteDeps = {
  db: Database
  ids: Pick<IdSource, 'orderNumber'>
}

type Caller = { memberId: bigint; now: Date }

/**
 * Stores what the desk would give now. The quote belongs to its member and can be used for one exchange within 30
 * seconds. It sets nothing aside.
 * @throws AppError 4202 below the minimum, 4206 more than the desk has, 4203 more than is left of the
 * hour, 5031 a price paused, 400 for an asset to itself
 */
export async function quoteExchange(
  deps: QuoteDeps,
  { from, to, amount }: HandlerInput<typeof endpoint>,
  { memberId, now }: Caller,
): Promise<Data<typeof endpoint>> {
  if (from === to) throw invalidInput('to', 'sameAsset')
  const { db } = deps
  const [prices, settings, level] = await Promise.all([readPrices(db, now), readSettings(db), readLevel(db, memberId)])
  const deskPrices = pricesOf(prices, from, to)
  const fee = feeAt(settings.exchangeFeePpm, level)
  const terms = { amountIn: amount, ...usedOf(deskPrices), feePpm: BigInt(fee.feePpm) }
  const outcome = exchangeAt(terms)
  requireWorth(mulDiv(amount, terms.fromPrice, WHOLE_UNIT), outcome, BigInt(settings.exchangeMinMicroUsdt) * MICRO)
  const limits = { prices, hourBps: settings.deskHourBps, now }
  const [stock, hourLeft] = await Promise.all([
    accountBalance(db, platformAccount('deskInventory', to)),
    readHourLeft(db, { from, to, fromPrice: terms.fromPrice }, limits),
  ])
  if (outcome.gross > stock) throw deskShort(stock, to)
  requireLeft(amount, hourLeft, from)
  const row = await db
    .insertInto('exchange_quote')
    .values({
      quote_no: deps.ids.orderNumber(),
      member_id: memberId,
      from_asset: from,
      to_asset: to,
      amount_in: amount,
      from_price: terms.fromPrice,
      to_price: terms.toPrice,
      evidence: JSON.stringify({ from: deskPrices.from.evidence, to: deskPrices.to.evidence }),
      base_fee_ppm: fee.basePpm,
      discount: fee.discount,
      level,
      fee_ppm: fee.feePpm,
      amount_out: outcome.received,
      fee: outcome.fee,
      created_at: now,
      expires_at: new Date(now.getTime() + QUOTE_MS),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return {
    quoteNo: row.quote_no,
    ...describeTerms(row),
    hourLeft: fromBaseUnits(hourLeft),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}

export type PairOfPrices = { from: DeskPrice; to: DeskPrice }

/** @throws AppError 5031 with the asset whose price is paused */
export const pricesOf = (prices: Prices, from: keyof Prices, to: keyof Prices): PairOfPrices => ({
  from: choosePrice(prices[from], 'takes'),
  to: choosePrice(prices[to], 'gives'),
})

export const usedOf = ({ from, to }: PairOfPrices) => ({ fromPrice: from.used, toPrice: to.used })

/** @throws AppError 4202 when it is worth too little, or nothing would come out */
function requireWorth(worth: bigint, { received }: ExchangeOutcome, minimum: bigint): void {
  if (worth >= minimum && received > 0n) return
  throw new AppError(codes.belowMinimum, { minimum: `${fromBaseUnits(minimum)} USDT` })
}

/** Says how much there is, cut to six decimals for reading. */
export const deskShort = (stock: bigint, asset: string): AppError =>
  new AppError(codes.deskShort, { limit: `${fromBaseUnits(stock - (stock % MICRO))} ${asset}` })
