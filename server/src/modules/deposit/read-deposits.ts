import { assetCodes } from '@candela/protocol/money/assets'
import { dustSteps } from '@candela/protocol/money/dust'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import { nullsOf, queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'

/** A deposit as the API gives it. */
type Deposit = Data<'POST deposit/getOrder'>['deposit']

/** Where a row stands in the list, which is sorted by these three, greatest first. */
export type DepositPlace = { at: Date; announced: boolean; id: bigint }

export type DepositFilter = {
  memberId: bigint
  /** Only the announcement with this number. */
  depositNo?: string | undefined
  /** Only rows behind this place. */
  before?: DepositPlace | undefined
  limit: number
}

export type FoundDeposit = { place: DepositPlace; deposit: Deposit }

const paymentRow = z.object({
  tx_hash: z.string(),
  payer: z.string(),
  paid_asset: z.enum(assetCodes),
  paid_amount: z.bigint(),
  block_number: z.bigint(),
  confirmations: z.number(),
  confirmations_needed: z.number(),
  outcome: z.enum(['balance']).nullable(),
  block_at: z.date(),
})
type PaymentRow = z.output<typeof paymentRow>

const listedRow = z.object({
  at: z.date(),
  announced: z.boolean(),
  id: z.bigint(),
  deposit_no: z.string().nullable(),
  asset: z.enum(assetCodes),
  amount: z.bigint(),
  state: z.enum(['announced', 'confirming', 'credited', 'lapsed']),
})
const depositRow = z.union([listedRow.extend(paymentRow.shape), listedRow.extend(nullsOf(paymentRow).shape)])
type Row = z.output<typeof depositRow>

/** Dust is shown once it is credited: a crowd of it would fill the list. */
const isSmall = sql<boolean>`amount < case asset
  when 'USDT' then ${dustSteps.USDT}::numeric when 'HASH' then ${dustSteps.HASH}::numeric else ${dustSteps.JU}::numeric end`

/** Above every id. */
const LAST_ID = 2n ** 63n - 1n

/**
 * Announcements with the payment that fulfils each, and payments to the member's balance that fulfil none, in one query.
 * Nothing of a payment that waits for its depth is stored beside the event, so a reorganisation that reverts it undoes
 * what is shown. Where a waiting payment will go is told by the rules of `decideReceipt` and `matchAnnouncements`; a purchase or a
 * day's revenue that finds no use is shown once it is on the balance, because only its settlement decides that.
 */
export async function readDeposits(db: Database, filter: DepositFilter): Promise<FoundDeposit[]> {
  const { memberId, depositNo, before, limit } = filter
  // Announcements stand before payments of the same time. Each list is read only as far as the page can reach.
  const behind = {
    at: before?.at ?? null,
    announced: before?.announced === true ? before.id : 0n,
    payment: before?.announced === false ? before.id : LAST_ID,
  }
  const isNamed = depositNo === undefined ? sql`true` : sql`d.deposit_no = ${depositNo}`
  const rows = await queryRows(
    db,
    depositRow,
    sql`
    with waiting as materialized (
      select e.* from uncredited_payment e join member m on m.id = ${memberId}
      where (e.customer = m.address or e.payer = m.address) and (
        (e.action in ('deposit', 'native', 'transfer') and (
          e.customer = m.address or not exists (select from member other where other.address = e.customer)))
        or (e.action = 'unknown' and e.payer = m.address))
    ),
    coming as materialized (
      select distinct on (d.id) d.id as deposit_id, w.id as event_id
      from waiting w
      join deposit d on d.deposit_no = w.reference and d.member_id = ${memberId}
      join member m on m.id = d.member_id
      where w.action = 'deposit' and (w.payer = m.address or (w.asset = d.asset and w.amount = d.amount))
        and not exists (select from deposit_receipt r where r.deposit_id = d.id)
      order by d.id, w.block_number, w.log_index
    ),
    announced as (
      select d.* from deposit d
      where d.member_id = ${memberId} and ${isNamed}
        and (d.created_at, d.id) < (coalesce(${behind.at}::timestamptz, 'infinity'), ${behind.announced}::bigint)
      order by d.created_at desc, d.id desc limit ${limit}
    ),
    unannounced as (
      (select chain_event_id as id from deposit_receipt
      where member_id = ${memberId} and deposit_id is null
        and (at, chain_event_id) < (coalesce(${behind.at}::timestamptz, 'infinity'), ${behind.payment}::bigint)
      order by at desc, chain_event_id desc limit ${limit})
      union all
      select id from waiting where id not in (select event_id from coming) and not ${isSmall}
        and (block_at, id) < (coalesce(${behind.at}::timestamptz, 'infinity'), ${behind.payment}::bigint)
    ),
    listed as (
      select d.created_at as at, true as announced, d.id, d.deposit_no, d.asset, d.amount, d.lapses_at,
        coalesce(r.chain_event_id, coming.event_id) as event_id
      from announced d
      left join deposit_receipt r on r.deposit_id = d.id
      left join coming on coming.deposit_id = d.id
      union all
      select e.block_at, false, e.id, null, e.asset, e.amount, null, e.id
      from unannounced join chain_payment e on e.id = unannounced.id
      where ${depositNo === undefined}
    )
    select listed.at, listed.announced, listed.id, listed.deposit_no, listed.asset, listed.amount,
      case
        when e.state = 'credited' then 'credited'
        when e.id is not null then 'confirming'
        when b.at > listed.lapses_at then 'lapsed'
        else 'announced'
      end as state,
      e.tx_hash, e.payer, e.asset as paid_asset, e.amount as paid_amount, e.block_number, e.confirmations_needed,
      e.outcome, e.block_at, e.confirmations
    from listed
    left join chain_payment e on e.id = listed.event_id
    left join chain_cursor c on true
    left join chain_block b on b.number = c.followed
    order by listed.at desc, listed.announced desc, listed.id desc
    limit ${limit}`,
  )
  return rows.map((row) => ({
    place: { at: row.at, announced: row.announced, id: row.id },
    deposit: toDeposit(row),
  }))
}

const toDeposit = (row: Row): Deposit => ({
  depositNo: row.deposit_no,
  asset: row.asset,
  amount: fromBaseUnits(row.amount),
  state: row.state,
  createdAt: row.at.toISOString(),
  payment: row.tx_hash === null ? null : toPayment(row),
})

const toPayment = (row: PaymentRow): NonNullable<Deposit['payment']> => ({
  txHash: row.tx_hash,
  payer: row.payer,
  asset: row.paid_asset,
  amount: fromBaseUnits(row.paid_amount),
  blockNumber: Number(row.block_number),
  confirmations: row.confirmations,
  confirmationsNeeded: row.confirmations_needed,
  outcome: row.outcome,
  at: row.block_at.toISOString(),
})
