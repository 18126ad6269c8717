import { sql } from 'kysely'
import { utcDay } from '@candela/protocol/calendar'
import { isDust } from '@candela/protocol/money/dust'
import {
  type ConfirmedPayment,
  type Disposition,
  paymentPostingId,
  type SettlePayments,
} from '../../chain/crediting/credit-payments.ts'
import { anyOf } from '../../db/any-of.ts'
import type { Tx } from '../../db/open.ts'
import { findPostings } from '../../ledger/find-postings.ts'
import { decideReceipt, type Destination } from './decide-receipts.ts'
import { sortDust } from './dust/sort-dust.ts'
import { type Announcement, matchAnnouncements } from './match-announcements.ts'
import { destinationOf, receiptPosting } from './postings.ts'

/**
 * Settles every confirmed payment that is not a purchase: deposits and native receipts, a day's revenue, and money that
 * found no use. Each ends on a balance, in the revenue pool or in suspense; none is refused. Dust beyond the first of a day waits for its sum. What went to a balance is
 * noted with its member and with the announcement that it fulfils, if there is one.
 */
export const settleReceipts: SettlePayments = async (tx, payments) => {
  const members = await readMembers(tx, payments)
  // Where our records of the chain were lost, somebody may have become a member since: what the books have stays.
  const posted = await findPostings(
    tx,
    payments.map((payment) => paymentPostingId(payment, 0)),
  )
  const settled = payments.map((payment) => ({
    payment,
    destination:
      destinationOf(posted.get(paymentPostingId(payment, 0))) ??
      decideReceipt(payment, (address) => members.get(address)),
  }))
  const receipts = settled.flatMap(({ payment, destination }) =>
    'memberId' in destination ? [{ payment, memberId: destination.memberId }] : [],
  )
  const fulfilled = matchAnnouncements(receipts, await readAnnouncements(tx, receipts))
  const announced = new Set(receipts.flatMap(({ payment }, nth) => (fulfilled[nth] === null ? [] : [payment.eventId])))
  const fates = await sortDust(
    tx,
    settled.flatMap(({ payment, destination }) =>
      isDust(payment.asset, payment.amount) && destination.kind !== 'revenue' && !announced.has(payment.eventId)
        ? [{ payment, memberId: 'memberId' in destination ? destination.memberId : null }]
        : [],
    ),
  )
  const isByItself = ({ eventId }: ConfirmedPayment) => (fates.get(eventId) ?? 'single') === 'single'
  await recordReceipts(
    tx,
    receipts.flatMap((receipt, nth) =>
      isByItself(receipt.payment) ? [{ ...receipt, depositId: fulfilled[nth] ?? null }] : [],
    ),
  )
  return settled.map(({ payment, destination }): Disposition => {
    const { eventId } = payment
    const outcome = outcomeOf(destination)
    if (isByItself(payment)) return { eventId, outcome, postings: [receiptPosting(payment, destination)] }
    const fate = fates.get(eventId)
    const withDay = { eventId, postings: [], waitsFor: utcDay(payment.blockAt) }
    return typeof fate === 'object' ? { ...withDay, outcome: fate.booked, isBooked: true } : { ...withDay, outcome }
  })
}

function outcomeOf({ kind }: Destination): 'balance' | 'revenue' | 'suspense' {
  return kind === 'deposit' || kind === 'unmatched' ? 'balance' : kind
}

/** Ids of the members among payers and customers, by address. */
async function readMembers(tx: Tx, payments: readonly ConfirmedPayment[]): Promise<ReadonlyMap<string, bigint>> {
  const addresses = new Set(payments.flatMap(({ payer, customer }) => [payer, customer]))
  if (addresses.size === 0) return new Map()
  const rows = await tx
    .selectFrom('member')
    .select(['id', 'address'])
    .where('address', '=', anyOf([...addresses]))
    .execute()
  return new Map(rows.map(({ id, address }) => [address, id]))
}

type Receipt = { payment: ConfirmedPayment; memberId: bigint; depositId: bigint | null }

async function recordReceipts(tx: Tx, receipts: readonly Receipt[]): Promise<void> {
  if (receipts.length === 0) return
  await sql`
    insert into deposit_receipt (chain_event_id, member_id, deposit_id, at)
    select * from unnest(
      ${receipts.map(({ payment }) => payment.eventId)}::bigint[],
      ${receipts.map(({ memberId }) => memberId)}::bigint[],
      ${receipts.map(({ depositId }) => depositId)}::bigint[],
      ${receipts.map(({ payment }) => payment.blockAt)}::timestamptz[]
    )`.execute(tx)
}

/** The announcements that these payments name and that nothing has fulfilled yet. */
async function readAnnouncements(
  tx: Tx,
  receipts: readonly { payment: ConfirmedPayment }[],
): Promise<ReadonlyMap<string, Announcement>> {
  const named = receipts.flatMap(({ payment }) => (payment.action === 'deposit' ? [payment.reference] : []))
  if (named.length === 0) return new Map()
  const rows = await tx
    .selectFrom('deposit as d')
    .innerJoin('member as m', 'm.id', 'd.member_id')
    .leftJoin('deposit_receipt as r', 'r.deposit_id', 'd.id')
    .select(['d.id', 'd.deposit_no', 'd.member_id', 'd.asset', 'd.amount', 'm.address'])
    .where('d.deposit_no', '=', anyOf(named))
    .where('r.chain_event_id', 'is', null)
    .execute()
  return new Map(
    rows.map(({ deposit_no, member_id, address, ...row }) => [
      deposit_no,
      { ...row, memberId: member_id, owner: address },
    ]),
  )
}
