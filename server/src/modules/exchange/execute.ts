import { codes } from '@candela/protocol/codes/codes'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { exchangeAt } from '@candela/protocol/money/exchange'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Selectable } from 'kysely'
import { runIdempotent } from '../../db/idempotency/run-idempotent.ts'
import { transaction, type Tx } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { type Prices, readPrices } from '../../chain/price/price.ts'
import type { Tables } from '../../db/tables/index.ts'
import { must } from '../../kernel/assert.ts'
import { AppError, isAppError } from '../../kernel/errors.ts'
import { accountBalance } from '../../ledger/balances.ts'
import { memberAccount, platformAccount } from '../../ledger/chart.ts'
import { post } from '../../ledger/post.ts'
import { readExchanges } from './list-exchanges.ts'
import { takeFromHour } from './desk-limit.ts'
import { exchangePosting, type PostedExchange } from './postings.ts'
import { deskShort, pricesOf, type QuoteDeps, usedOf } from './quote.ts'

const endpoint = 'POST exchange/index'

type Input = HandlerInput<typeof endpoint>
type Caller = { memberId: bigint; now: Date }
type Quote = Selectable<Tables['exchange_quote']>

/**
 * Exchanges what a quote named. Gives what the quote promised, or what the prices of this moment give when that is
 * less: a quote must not be a free option on the price. Once for each request id, and once for each quote.
 * @throws AppError 4204 when less than `minReceived` would come out, or the quote is over or used; 404 for a quote that
 * is not the caller's; 4090 to 4092, 4201 balance, 4203 more than is left of the hour, 4206 desk short, 5031 price
 * paused. Then nothing was changed.
 */
export async function executeExchange(
  deps: QuoteDeps,
  input: Input,
  { memberId, now }: Caller,
): Promise<Data<typeof endpoint>> {
  return transaction(deps.db, async (tx) => {
    const call = { memberId, requestId: input.requestId, endpoint, input, now }
    const { exchangeNo } = await runIdempotent(tx, call, () => exchangeNow(tx, deps, input, { memberId, now }))
    const [found] = await readExchanges(tx, { memberId, exchangeNo, limit: 1 })
    return { exchange: must(found, `exchange ${exchangeNo} of a request id exists`).exchange }
  })
}

async function exchangeNow(
  tx: Tx,
  deps: QuoteDeps,
  { quoteNo, minReceived }: Input,
  { memberId, now }: Caller,
): Promise<{ exchangeNo: string }> {
  const quote = await lockQuote(tx, quoteNo, memberId)
  if (quote.expires_at <= now || (await isUsed(tx, quote.id))) throw new AppError(codes.priceMoved)
  const prices = await readPrices(tx, now)
  const terms = termsNow(prices, quote)
  if (terms.amount_out < minReceived) throw new AppError(codes.priceMoved)
  const flow = { from: quote.from_asset, to: quote.to_asset, fromPrice: terms.from_price }
  const { deskHourBps: hourBps } = await readSettings(tx)
  await takeFromHour(tx, flow, quote.amount_in, { prices, hourBps, now })
  const exchangeNo = deps.ids.orderNumber()
  await tx
    .insertInto('exchange')
    .values({
      exchange_no: exchangeNo,
      quote_id: quote.id,
      member_id: memberId,
      from_asset: quote.from_asset,
      to_asset: quote.to_asset,
      amount_in: quote.amount_in,
      base_fee_ppm: quote.base_fee_ppm,
      discount: quote.discount,
      level: quote.level,
      fee_ppm: quote.fee_ppm,
      ...terms,
      quoted_out: quote.amount_out,
      min_received: minReceived,
      created_at: now,
    })
    .execute()
  const { from_asset: from, to_asset: to, amount_in: amountIn } = quote
  const { amount_out: received, fee } = terms
  await postOrSayHowMuch(tx, { exchangeNo, quoteNo, memberId, from, to, amountIn, received, fee }, now)
  return { exchangeNo }
}

/** Two requests with one quote come one after the other. @throws AppError 404 */
async function lockQuote(tx: Tx, quoteNo: string, memberId: bigint): Promise<Quote> {
  const quote = await tx
    .selectFrom('exchange_quote')
    .selectAll()
    .where('quote_no', '=', quoteNo)
    .where('member_id', '=', memberId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (quote === undefined) throw new AppError(codes.notFound)
  return quote
}

async function isUsed(tx: Tx, quoteId: bigint): Promise<boolean> {
  const used = await tx.selectFrom('exchange').select('id').where('quote_id', '=', quoteId).executeTakeFirst()
  return used !== undefined
}

/** Takes the prices that give less: the quote's or those of now. @throws AppError 5031 while one is paused */
function termsNow(prices: Prices, quote: Quote) {
  const deskPrices = pricesOf(prices, quote.from_asset, quote.to_asset)
  const { fromPrice, toPrice } = usedOf(deskPrices)
  const outcome = exchangeAt({ amountIn: quote.amount_in, fromPrice, toPrice, feePpm: BigInt(quote.fee_ppm) })
  const { amount_out, fee, from_price, to_price } = quote
  if (outcome.received >= amount_out) {
    return { amount_out, fee, from_price, to_price, evidence: JSON.stringify(quote.evidence) }
  }
  return {
    amount_out: outcome.received,
    fee: outcome.fee,
    from_price: fromPrice,
    to_price: toPrice,
    evidence: JSON.stringify({ from: deskPrices.from.evidence, to: deskPrices.to.evidence }),
  }
}

/** @throws AppError 4201 or 4206 with how much there is */
async function postOrSayHowMuch(tx: Tx, exchange: PostedExchange, now: Date): Promise<void> {
  const { memberId, from, to } = exchange
  try {
    await post(tx, exchangePosting(exchange, now))
  } catch (error) {
    if (isAppError(error, codes.deskShort)) {
      throw deskShort(await accountBalance(tx, platformAccount('deskInventory', to)), to)
    }
    if (!isAppError(error, codes.notEnoughBalance)) throw error
    const available = await accountBalance(tx, memberAccount(memberId, 'memberAvailable', from))
    throw new AppError(codes.notEnoughBalance, { available: fromBaseUnits(available), asset: from })
  }
}
