import { HOUR_MS, MINUTE_MS } from '@candela/protocol/units'
import { codes } from '@candela/protocol/codes/codes'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { type FollowerLimits, isChainBehind } from '../../../chain/follow/status.ts'
import { runIdempotent } from '../../../db/idempotency/run-idempotent.ts'
import { type Database, type Tx, transaction } from '../../../db/open.ts'
import { type Settings, readSettings } from '../../../db/settings.ts'
import { must } from '../../../kernel/assert.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { type Plan, canReserve, changeUnits, lockPlan } from '../plans/plan.ts'
import { type PaymentAsset, type Quote, checkUnits, quoteUnits, requirePrice } from './quote.ts'
import { type PaymentContracts, readOrders } from './read-orders.ts'

const endpoint = 'POST power/getOrder'

export type GetOrderDeps = {
  db: Database
  ids: Pick<IdSource, 'orderNumber'>
  contracts: PaymentContracts
  /** Beyond these what we know of the chain is too old to take orders on. */
  chainLimits: FollowerLimits
}

type GetOrderInput = HandlerInput<typeof endpoint>
type Caller = { memberId: bigint; now: Date }

/**
 * Makes an order, once for each request id; a repetition gets the same order as it is by then. Units are set aside for it
 * while unpaid orders may hold them; otherwise the first payment gets them.
 * @throws AppError 404 plan unknown or closed, 4202, 4203, 4401 quantity, 4204 above `maxPayable`, 4090 to 4092, 4212, 429 too many
 * unpaid orders, 5031 price paused, 5032 chain behind
 */
export async function getOrder(
  deps: GetOrderDeps,
  input: GetOrderInput,
  { memberId, now }: Caller,
): Promise<Data<typeof endpoint>> {
  return transaction(deps.db, async (tx) => {
    const call = { memberId, requestId: input.requestId, endpoint, input, isFree: true, now }
    const { orderNo } = await runIdempotent(tx, call, () => makeOrder(tx, deps, input, { memberId, now }))
    const [found] = await readOrders(tx, deps.contracts, { memberId, orderNo, limit: 1, now })
    return { order: must(found, `order ${orderNo} of a request id exists`).order }
  })
}

async function makeOrder(
  tx: Tx,
  deps: GetOrderDeps,
  input: GetOrderInput,
  { memberId, now }: Caller,
): Promise<{ orderNo: string }> {
  if (await isChainBehind(tx, deps.chainLimits, now)) throw new AppError(codes.chainBehind)
  const asset: PaymentAsset = input.asset ?? 'JU'
  const price = await requirePrice(tx, asset, now)
  const settings = await readSettings(tx)
  // Before the plan's lock, so that nobody waits for a plan while its holder waits for a member.
  const open = await lockOpenOrders(tx, memberId, input.planId, now)
  const plan = await lockPlan(tx, input.planId)
  checkUnits(plan, input.units)
  refuseTooManyUnpaid(open, input.units, plan, settings.openOrders)
  const quote = quoteUnits(plan.unitPrice, input.units, price)
  if (input.maxPayable !== undefined && quote.payable > input.maxPayable) throw new AppError(codes.priceMoved)
  const orderNo = deps.ids.orderNumber()
  const units = BigInt(input.units)
  const isReserved = canReserve(plan, units)
  if (isReserved) await changeUnits(tx, [{ planId: plan.id, left: -units, reserved: units }])
  await insertOrder(tx, { orderNo, memberId, plan, units, isReserved, asset, quote, now, settings })
  return { orderNo }
}

type OpenOrders = { count: bigint; units: bigint; wait_s: number }

/**
 * A member's unpaid orders: how many, how many units of this plan they are for, and when the first of them runs out. The
 * member stays locked until the transaction ends: of calls made at the same time, also for several plans, each counts
 * those before it.
 */
async function lockOpenOrders(tx: Tx, memberId: bigint, planId: number, now: Date): Promise<OpenOrders> {
  await tx.selectFrom('member').select('id').where('id', '=', memberId).forNoKeyUpdate().executeTakeFirstOrThrow()
  const open = await tx
    .selectFrom('power_order')
    .select(['plan_id', 'units', 'pay_before'])
    .where('member_id', '=', memberId)
    .where('state', '=', 'pending')
    .orderBy('pay_before')
    .execute()
  const ofPlan = open.filter(({ plan_id }) => plan_id === BigInt(planId))
  const wait_ms = (open[0]?.pay_before.getTime() ?? 0) - now.getTime()
  return {
    count: BigInt(open.length),
    units: ofPlan.reduce((sum, { units }) => sum + units, 0n),
    wait_s: Math.max(1, Math.ceil(wait_ms / 1_000)),
  }
}

/**
 * Orders cost nothing, so that one member could take up a plan: unpaid ones are together for at most as many units as one
 * order may be.
 * @throws AppError 429 with the time until the first of them runs out
 */
function refuseTooManyUnpaid(open: OpenOrders, units: number, plan: Plan, limit: number): void {
  const holdsTooMuch = open.units > 0n && open.units + BigInt(units) > plan.maxUnits
  if (open.count >= BigInt(limit) || holdsTooMuch) throw new AppError(codes.slowDown, { seconds: open.wait_s })
}

type NewOrder = {
  orderNo: string
  memberId: bigint
  plan: Plan
  units: bigint
  isReserved: boolean
  asset: PaymentAsset
  quote: Quote
  now: Date
  settings: Settings
}

async function insertOrder(tx: Tx, order: NewOrder): Promise<void> {
  const { orderNo, memberId, plan, units, isReserved, asset, quote, now, settings } = order
  const payBefore_ms = now.getTime() + settings.orderMinutes * MINUTE_MS
  await tx
    .insertInto('power_order')
    .values({
      order_no: orderNo,
      member_id: memberId,
      plan_id: plan.id,
      units,
      is_reserved: isReserved,
      cost_usdt: quote.costUsdt,
      asset,
      payable: quote.payable,
      price: quote.price,
      created_at: now,
      pay_before: new Date(payBefore_ms),
      watch_until: new Date(payBefore_ms + settings.watchHours * HOUR_MS),
      term_days: plan.termDays,
    })
    .execute()
}
