import type { ConfirmedPayment, Disposition, SettlePayments } from '../../../chain/crediting/credit-payments.ts'
import { readUsablePrice } from '../../../chain/price/price.ts'
import { readSettings } from '../../../db/settings.ts'
import { anyOf } from '../../../db/any-of.ts'
import type { Tx } from '../../../db/open.ts'
import { sql } from 'kysely'
import { settleReceipts } from '../../deposit/settle-receipts.ts'
import { firstOpenDay } from '../../income/open-day.ts'
import { notify } from '../../notice/notify.ts'
import { countPurchases } from '../../ranking/count-purchases.ts'
import { addPower } from '../holdings/change-power.ts'
import { changeUnits, lockPlans } from '../plans/plan.ts'
import { countedAt, readStandstills } from '../../../chain/follow/standstill.ts'
import { type OrderFacts, type PurchaseDecision, type PurchaseFacts, decidePurchases } from './decide-purchases.ts'
import { purchaseNotice } from './notices.ts'
import { purchasePosting, referralPosting } from './postings.ts'
import { USDT_PRICE } from '../orders/quote.ts'

/**
 * Settles confirmed payments with the action `buyPower`: activates the orders that they pay for, ends those that they
 * were meant for and miss, and hands all money that buys nothing to `settleReceipts`. Everything is read and written
 * in sets: the number of statements does not depend on the number of payments.
 */
export const settlePurchases: SettlePayments = async (tx, payments, now) => {
  if (payments.length === 0) return []
  const facts = await readFacts(tx, payments, now)
  const standstills = await readStandstills(tx)
  const counted = payments.map((payment) => ({ ...payment, countsAt: countedAt(standstills, payment.blockAt) }))
  const decided = decidePurchases(counted, facts).map((decision, nth) => ({
    payment: payments[nth] as ConfirmedPayment,
    decision,
  }))
  const bought = await recordDecisions(tx, decided, now)
  await countPurchases(tx, bought, now)
  await notify(tx, ...decided.flatMap((one) => purchaseNotice(one, now) ?? []))
  const unmatched = decided.filter(({ decision }) => decision.kind !== 'active').map(({ payment }) => payment)
  return [
    ...decided.flatMap(({ payment, decision }) =>
      decision.kind === 'active' ? [purchaseDisposition(payment, decision.order)] : [],
    ),
    ...(unmatched.length === 0 ? [] : await settleReceipts(tx, unmatched, now)),
  ]
}

function purchaseDisposition(payment: ConfirmedPayment, { inviterId }: OrderFacts): Disposition {
  const reward = inviterId === null ? null : referralPosting(payment, inviterId)
  return {
    eventId: payment.eventId,
    outcome: 'order',
    postings: reward === null ? [purchasePosting(payment)] : [purchasePosting(payment), reward],
  }
}

const takesUnits = ({ state, isReserved }: OrderFacts): boolean =>
  state === 'cancelled' || (state === 'pending' && !isReserved)

async function readFacts(tx: Tx, payments: readonly ConfirmedPayment[], now: Date): Promise<PurchaseFacts> {
  const orders = await lockOrders(tx, [...new Set(payments.map((payment) => payment.reference))])
  const settings = await readSettings(tx)
  const byNumber = new Map(orders.map((order) => [order.orderNo, order]))
  const late = payments.some(({ reference, blockAt }) => {
    const order = byNumber.get(reference)
    return order !== undefined && blockAt > order.payBefore
  })
  // Only a late payment asks for the price, and only JU has one that moves.
  const ju = late ? await readUsablePrice(tx, 'JU', now) : null
  // An order without units of its own takes what its plan has left; nobody else may take it meanwhile. One with units changes its plan too: all
  // are locked at once, in their order.
  const planIds = new Set(orders.filter((order) => order.isReserved || takesUnits(order)).map(({ planId }) => planId))
  return {
    orders,
    plans: planIds.size === 0 ? [] : await lockPlans(tx, [...planIds]),
    priceOf: (asset) => (asset === 'USDT' ? USDT_PRICE : asset === 'JU' ? ju : null),
    lateToleranceBps: settings.lateToleranceBps,
    firstOpenDay: await firstOpenDay(tx),
  }
}

async function lockOrders(tx: Tx, orderNumbers: readonly string[]): Promise<OrderFacts[]> {
  const rows = await tx
    .selectFrom('power_order as o')
    .innerJoin('member as m', 'm.id', 'o.member_id')
    .selectAll('o')
    .select(['m.address as owner', 'm.inviter_id'])
    .where('o.order_no', '=', anyOf(orderNumbers))
    .orderBy('o.id')
    .forUpdate('o')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    orderNo: row.order_no,
    memberId: row.member_id,
    owner: row.owner,
    inviterId: row.inviter_id,
    planId: row.plan_id,
    units: row.units,
    asset: row.asset,
    payable: row.payable,
    price: row.price,
    state: row.state,
    isReserved: row.is_reserved,
    payBefore: row.pay_before,
    watchUntil: row.watch_until,
    termDays: row.term_days,
  }))
}

type Decided = { payment: ConfirmedPayment; decision: PurchaseDecision }

/** @returns the orders that were bought */
async function recordDecisions(tx: Tx, decided: readonly Decided[], now: Date) {
  const touched = decided.flatMap(({ payment, decision }) =>
    decision.kind === 'unmatched'
      ? []
      : [{ ...decision, eventId: payment.eventId, term: decision.kind === 'active' ? decision.term : null }],
  )
  if (touched.length === 0) return []
  await sql`
    update power_order o
    set state = s.state::power_order_state, settled_at = ${now}, chain_event_id = s.event_id,
      is_reserved = false, starts_on = s.starts_on, ends_on = s.ends_on
    from unnest(
      ${touched.map(({ order }) => order.id)}::bigint[],
      ${touched.map(({ kind }) => kind)}::text[],
      ${touched.map(({ eventId }) => eventId)}::bigint[],
      ${touched.map(({ term }) => term?.startsOn ?? null)}::date[],
      ${touched.map(({ term }) => term?.endsOn ?? null)}::date[]
    ) as s(id, state, event_id, starts_on, ends_on)
    where o.id = s.id`.execute(tx)
  await changeUnits(
    tx,
    touched.map(({ order, unitsDelta }) => ({
      planId: order.planId,
      left: unitsDelta,
      reserved: order.isReserved ? -order.units : 0n,
    })),
  )
  const bought = touched.filter(({ kind }) => kind === 'active').map(({ order }) => order.id)
  await addPower(tx, bought, now)
  if (bought.length === 0) return []
  return tx
    .selectFrom('power_order')
    .select(['id as orderId', 'member_id as memberId', 'cost_usdt as amount'])
    .where('id', '=', anyOf(bought))
    .execute()
}
