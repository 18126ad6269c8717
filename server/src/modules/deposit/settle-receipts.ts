import { sql } from 'kysely'
import type { ConfirmedPayment, SettlePayments } from '../../chain/credit/credit.ts'
import { anyOf } from '../../db/any-of.ts'
import type { Tx } from '../../db/open.ts'
import { decideReceipt, type Destination } from './decide-receipts.ts'
import { type Announcement, matchAnnouncements } from './match-announcements.ts'
import { receiptPosting } from './postings.ts'

/**
 * Settles every confirmed payment that is not a purchase: deposits and native receipts, a day's revenue, and money that
 * found no use. Each ends on a balance, in the revenue pool or in suspense; none is refused. What went to a balance is
 * noted with its member and with the announcement that it fulfils, if there is one.
 */
export const settleReceipts: SettlePayments = async (tx, payments) => {
  const members = await readMembers(tx, payments)
  const settled = payments.map((payment) => ({
    payment,
    destination: decideReceipt(payment, (address) => members.get(address)),
  }))
  await recordReceipts(tx, settled)
  return settled.map(({ payment, destination }) => ({
    eventId: payment.eventId,
    outcome: outcomeOf(destination),
    postings: [receiptPosting(payment, destination)],
  }))
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

type Settled = { payment: ConfirmedPayment; destination: Destination }

async function recordReceipts(tx: Tx, settled: readonly Settled[]): Promise<void> {
  const receipts = settled.flatMap(({ payment, destination }) =>
    'memberId' in destination ? [{ payment, memberId: destination.memberId }] : [],
  )
  if (receipts.length === 0) return
  const fulfilled = matchAnnouncements(receipts, await readAnnouncements(tx, receipts))
  await sql`
    insert into deposit_receipt (chain_event_id, member_id, deposit_id, at)
    select * from unnest(
      ${receipts.map(({ payment }) => payment.eventId)}::bigint[],
      ${receipts.map(({ memberId }) => memberId)}::bigint[],
      ${fulfilled}::bigint[],
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
