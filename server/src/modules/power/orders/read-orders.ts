import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import type { RechargeTransaction } from '@candela/protocol/endpoints/payment'
import type { Address } from 'viem'
import { rechargeCall } from '../../../chain/payment/recharge-call.ts'
import type { PaymentAsset } from './quote.ts'
import { assetCodes } from '@candela/protocol/money/assets'
import { orderStates } from '@candela/protocol/endpoints/power'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { localizedText } from '@candela/protocol/fields'
import type { Database } from '../../../db/open.ts'
import { sql } from 'kysely'
import { nullsOf, queryRows } from '../../../db/query-rows.ts'
import { z } from 'zod'
import { willSettle } from '../settlement/will-settle.ts'

/** The contracts that an order's transaction names, in lower case. */
export type PaymentContracts = { gateway: Address; usdt: Address }

/** The payment for one order. */
export type OrderPayment = { orderNo: string; asset: PaymentAsset; payable: bigint; customer: Address }

/** Everything that the wallet needs to pay for an order. */
export const rechargeTransaction = (
  { gateway, usdt }: PaymentContracts,
  { orderNo, asset, payable, customer }: OrderPayment,
): RechargeTransaction =>
  rechargeCall(gateway, {
    key: 'buyPower',
    asset: asset === 'JU' ? NATIVE_ASSET : usdt,
    amount: payable,
    customer,
    reference: orderNo,
  })

type OrderState = (typeof orderStates)[number]
/** An order as the API gives it. */
export type Order = Data<'GET power/orderList'>['items'][number]

export type OrderFilter = {
  memberId: bigint
  orderNo?: string | undefined
  state?: OrderState | undefined
  /** Only orders with a smaller id, which are older. */
  before?: bigint | undefined
  limit: number
  now: Date
}

/** An order with its place in the list. */
type FoundOrder = { id: bigint; order: Order }

const paymentRow = z.object({
  tx_hash: z.string(),
  payer: z.string(),
  paid_asset: z.enum(assetCodes),
  amount: z.bigint(),
  block_number: z.bigint(),
  confirmations: z.number(),
  confirmations_needed: z.number(),
  outcome: z.enum(['order', 'balance', 'suspense']).nullable(),
  block_at: z.date(),
})
type PaymentRow = z.output<typeof paymentRow>

const listedRow = z.object({
  id: z.bigint(),
  customer: z.templateLiteral(['0x', z.string()]),
  order_no: z.string(),
  plan_id: z.bigint(),
  plan_name: localizedText,
  unit: z.string(),
  units: z.bigint(),
  is_reserved: z.boolean(),
  state: z.enum(orderStates),
  cost_usdt: z.bigint(),
  asset: z.enum(['JU', 'USDT']),
  payable: z.bigint(),
  price: z.bigint(),
  created_at: z.date(),
  pay_before: z.date(),
  watch_until: z.date(),
  term_days: z.number(),
  starts_on: z.string().nullable(),
  ends_on: z.string().nullable(),
})
const orderRow = z.union([listedRow.extend(paymentRow.shape), listedRow.extend(nullsOf(paymentRow).shape)])
type OrderRow = z.output<typeof orderRow>

/** Above every id. */
const LAST_ID = 2n ** 63n - 1n

/** Orders of a member that a recorded payment may settle: few. */
const watched = (memberId: bigint) => sql`
  from power_order where member_id = ${memberId} and chain_event_id is null and watch_until >= (
    select min(block_at) from uncredited_payment where action = 'buyPower')`

/**
 * Condition on order `o` with its payment `e`. The places of a stored state are read first, from an index that has all that this
 * needs: asked for the orders themselves, Postgres may pass over all of the other states.
 */
function isIn({ memberId, orderNo, state, before = LAST_ID, limit }: OrderFilter) {
  if (state === undefined) return sql`true`
  if (state === 'confirming') {
    return sql`e.id is not null and o.chain_event_id is null and o.id = any (array(select id ${watched(memberId)}))`
  }
  // Some of the watched ones are confirming.
  const isUnpaid = state === 'pending' || state === 'cancelled'
  const wanted = isUnpaid ? sql`${limit} + (select count(*) ${watched(memberId)})` : sql`${limit}`
  const wantedState = sql`${state}::power_order_state`
  // A name finds its one order by itself.
  const isStored =
    orderNo === undefined
      ? sql`o.id = any (array(
          select id from power_order where member_id = ${memberId} and state = ${wantedState} and id < ${before}
          order by id desc limit ${wanted}))`
      : sql`o.state = ${wantedState}`
  return isUnpaid ? sql`${isStored} and e.id is null` : isStored
}

/**
 * Orders with their payments, newest first, in one query. An unsettled order with a recorded payment that will settle
 * it is `confirming`; nothing is stored for that, so a reorganisation that reverts the payment undoes it. Only what
 * can still be paid carries its transaction.
 */
export async function readOrders(
  db: Database,
  contracts: PaymentContracts,
  filter: OrderFilter,
): Promise<FoundOrder[]> {
  const { memberId, orderNo, before = LAST_ID, limit, now } = filter
  const isNamed = orderNo === undefined ? sql`true` : sql`o.order_no = ${orderNo}`
  const rows = await queryRows(
    db,
    orderRow,
    sql`
    select o.id, m.address as customer, o.order_no, o.plan_id, p.name as plan_name, p.unit, o.units, o.is_reserved, o.cost_usdt, o.asset, o.payable, o.price,
      o.created_at, o.pay_before, o.watch_until, o.term_days, o.starts_on, o.ends_on,
      case when o.chain_event_id is null and e.id is not null then 'confirming' else o.state::text end as state,
      e.tx_hash, e.payer, e.asset as paid_asset, e.amount, e.block_number, e.confirmations_needed, e.outcome, e.block_at,
      e.confirmations
    from power_order o
    join member m on m.id = o.member_id
    join power_plan p on p.id = o.plan_id
    left join lateral (
      select * from chain_payment where id = o.chain_event_id
      union all
      (select * from chain_payment e where o.chain_event_id is null and ${willSettle}
       order by e.block_number, e.log_index limit 1)
    ) e on true
    where o.member_id = ${memberId} and o.id < ${before} and ${isNamed} and ${isIn(filter)}
    order by o.id desc
    limit ${limit}`,
  )
  return rows.map((row) => {
    const isPayable = row.state === 'pending' && now < row.pay_before
    return { id: row.id, order: { ...toOrder(row), transaction: isPayable ? toTransaction(contracts, row) : null } }
  })
}

const toTransaction = (contracts: PaymentContracts, row: OrderRow): Order['transaction'] =>
  rechargeTransaction(contracts, {
    orderNo: row.order_no,
    asset: row.asset,
    payable: row.payable,
    customer: row.customer,
  })

function toOrder(row: OrderRow): Omit<Order, 'transaction'> {
  return {
    orderNo: row.order_no,
    planId: String(row.plan_id),
    planName: row.plan_name,
    unit: row.unit,
    units: Number(row.units),
    state: row.state,
    isReserved: row.is_reserved,
    costUsdt: fromBaseUnits(row.cost_usdt),
    asset: row.asset,
    payable: fromBaseUnits(row.payable),
    price: fromBaseUnits(row.price),
    createdAt: row.created_at.toISOString(),
    payBefore: row.pay_before.toISOString(),
    watchUntil: row.watch_until.toISOString(),
    termDays: row.term_days,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    payment: row.tx_hash === null ? null : toPayment(row),
  }
}

const toPayment = (row: PaymentRow): NonNullable<Order['payment']> => ({
  txHash: row.tx_hash,
  payer: row.payer,
  asset: row.paid_asset,
  amount: fromBaseUnits(row.amount),
  blockNumber: Number(row.block_number),
  confirmations: row.confirmations,
  confirmationsNeeded: row.confirmations_needed,
  outcome: row.outcome,
  at: row.block_at.toISOString(),
})
