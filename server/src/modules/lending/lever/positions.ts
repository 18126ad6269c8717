import { codes } from '@candela/protocol/codes/codes'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { lowerPrice } from '../../../chain/price/use-price.ts'
import { runIdempotent } from '../../../db/idempotency/run-idempotent.ts'
import { transaction, type Tx } from '../../../db/open.ts'
import { readSettings } from '../../../db/settings.ts'
import { AppError, isAppError } from '../../../kernel/errors.ts'
import { accountBalance } from '../../../ledger/balances.ts'
import { platformAccount } from '../../../ledger/chart.ts'
import { takeFromHour } from '../../exchange/desk-limit.ts'
import { readFeePpm } from '../../exchange/read-fee.ts'
import { readPrices } from '../../../chain/price/price.ts'
import { showLoan } from '../loan/orders/get-loan.ts'
import { openLever } from '../loan/lever/open-lever.ts'
import { addMargin, closePart, type Part } from '../loan/lever/lever-loan.ts'
import type { Caller, LeverDeps } from './deps.ts'
import { planClose } from './plan-close.ts'
import { INITIAL_PPM, quotePosition } from './quote.ts'

const opening = 'POST lever/open'
const adding = 'POST lever/addMargin'
const closing = 'POST lever/close'

/**
 * Opens a leveraged loan at the prices of this moment. Once for each request id.
 * @throws AppError 4090 to 4092, 4201, 4203, 4204 when less would be bought, 4206, 4301 above a line, 4302, 4304, 5031
 */
export async function openPosition(
  deps: LeverDeps,
  input: HandlerInput<typeof opening>,
  caller: Caller,
): Promise<Data<typeof opening>> {
  const call = { ...caller, requestId: input.requestId, endpoint: opening, input }
  const { loanNo } = await transaction(deps.db, (tx) => runIdempotent(tx, call, () => openNow(tx, deps, input, caller)))
  return { loan: await showLoan(deps.db, loanNo, caller) }
}

async function openNow(
  tx: Tx,
  deps: LeverDeps,
  input: HandlerInput<typeof opening>,
  caller: Caller,
): Promise<{ loanNo: string }> {
  const { terms, buyPrice, prices, settings } = await quotePosition(tx, input, caller)
  if (terms.bought < input.minBought) throw new AppError(codes.priceMoved)
  const isAccepted = terms.status === 'safe' || (terms.status === 'warning' && input.acceptWarning)
  if (!isAccepted) throw new AppError(codes.overCreditLimit)
  const flow = { from: 'USDT' as const, to: input.asset, fromPrice: WHOLE_UNIT }
  await takeFromHour(tx, flow, terms.total, { prices, hourBps: settings.deskHourBps, now: caller.now })
  const loanNo = deps.ids.orderNumber()
  const loan = {
    loan_no: loanNo,
    member_id: caller.memberId,
    collateral_asset: input.asset,
    rate_ppm: settings.leverRatePpm,
    initial_ppm: INITIAL_PPM,
    safety_ppm: settings.leverSafetyPpm,
    clearing_ppm: settings.leverClearingPpm,
    lent: terms.loan,
    days: input.days,
    margin: input.margin,
    ratio_tenths: input.ratio,
    bought: terms.bought,
    buy_price: buyPrice,
    fee: terms.fee,
  }
  await openLever(tx, loan, prices[input.asset], settings, caller.now)
  return { loanNo }
}

/** Pays a part of a leveraged loan from the balance. Once for each request id. @throws AppError 404, 4090 to 4092, 4201, 4303 */
export async function addToMargin(
  deps: LeverDeps,
  input: HandlerInput<typeof adding>,
  caller: Caller,
): Promise<Data<typeof adding>> {
  const { loanNo, amount, requestId } = input
  await transaction(deps.db, (tx) =>
    runIdempotent(tx, { ...caller, requestId, endpoint: adding, input, isFree: true }, async () => {
      await addMargin(tx, { loanNo, requestId, ...caller }, amount)
      return {}
    }),
  )
  return { loan: await showLoan(deps.db, loanNo, caller) }
}

type Closed = Omit<Data<typeof closing>, 'loan'>

/**
 * Sells a part of the position or all of it to the desk. Once for each request id.
 * @throws AppError 404, 4090 to 4092, 4201, 4204 when it would bring less, 4206, 4301, 4303, 5031
 */
export async function closePosition(
  deps: LeverDeps,
  input: HandlerInput<typeof closing>,
  caller: Caller,
): Promise<Data<typeof closing>> {
  const { loanNo, requestId } = input
  const call = { ...caller, requestId, endpoint: closing, input }
  const closed = await transaction(deps.db, (tx) => runIdempotent<Closed>(tx, call, () => closeNow(tx, input, caller)))
  return { loan: await showLoan(deps.db, loanNo, caller), ...closed }
}

async function closeNow(
  tx: Tx,
  { loanNo, requestId, percent, minProceeds }: HandlerInput<typeof closing>,
  caller: Caller,
): Promise<Closed> {
  const { memberId, now } = caller
  const prices = await readPrices(tx, now)
  const { deskHourBps: hourBps } = await readSettings(tx)
  const feePpm = BigInt(await readFeePpm(tx, memberId))
  let price = 0n
  const act = { loanNo, memberId, requestId, percent, now }
  const { sold, proceeds, fee, repaid, kept } = await closePart(tx, act, async (part) => {
    const fitsHour = await takeIfLeft(tx, part, { prices, hourBps, now })
    const plan = planClose(part, prices[part.asset], feePpm, fitsHour)
    if (plan.worth < minProceeds) throw new AppError(codes.priceMoved)
    const money = await accountBalance(tx, platformAccount('deskInventory', 'USDT'))
    if (plan.proceeds + plan.fee > money) throw new AppError(codes.deskShort, { limit: `${fromBaseUnits(money)} USDT` })
    price = plan.price
    return plan
  })
  return {
    sold: fromBaseUnits(sold),
    salePrice: fromBaseUnits(price),
    fee: fromBaseUnits(fee),
    proceeds: fromBaseUnits(proceeds),
    repaid: fromBaseUnits(repaid),
    returned: fromBaseUnits(proceeds > repaid ? proceeds - repaid : 0n),
    kept: fromBaseUnits(kept),
  }
}

/** Counts a part in the desk's hour when all of it fits. Exchanges of the asset wait until the transaction ends. */
async function takeIfLeft(
  tx: Tx,
  { asset, amount }: Part,
  limits: Parameters<typeof takeFromHour>[3],
): Promise<boolean> {
  const price = limits.prices[asset]
  if (price.paused) return false
  try {
    await takeFromHour(tx, { from: asset, to: 'USDT', fromPrice: lowerPrice(price) }, amount, limits)
    return true
  } catch (error) {
    if (isAppError(error, codes.aboveLimit)) return false
    throw error
  }
}
