import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'

const useRow = z.object({
  asset: z.enum(assetCodes),
  member_id: z.bigint(),
  inviter_id: z.bigint().nullable(),
  withdrawals: z.number(),
  amount: z.bigint(),
  fresh: z.bigint(),
})
/** The amount of an asset that one member was paid, or has under way, in base units. */
export type CapUse = z.output<typeof useRow>

/** Lists the members that have used most of the contract's cap in the last 24 hours, by asset, the largest first. */
export async function readCapUse(db: Database, now: Date, limit: number): Promise<CapUse[]> {
  return queryRows(
    db,
    useRow,
    sql`
    select u.asset, u.member_id, m.inviter_id, u.withdrawals, u.amount, u.fresh from (
      select w.asset, w.member_id, count(*)::integer as withdrawals, sum(w.payout_amount) as amount,
        sum(w.fresh_amount) as fresh, row_number() over (partition by w.asset order by sum(w.payout_amount) desc) as place
      from withdrawal w
      where w.state in ('sending', 'done') and exists (
        select from payout_transaction t where t.withdrawal_id = w.id and t.signed_at > ${new Date(now.getTime() - DAY_MS)})
      group by w.asset, w.member_id
    ) u join member m on m.id = u.member_id
    where u.place <= ${limit} order by u.asset, u.place`,
  )
}

/** Parts of a cap, of all assets the largest; 0 while nobody has asked the contract. */
export type CapFigures = {
  /** The part of it that is used now. */
  used: number
  /** The part that one member, with those whom it has invited, was paid in the last 24 hours. */
  byOne: number
}

/** Millionths. */
const figureRow = z.object({ used: z.bigint(), by_one: z.bigint() })

export async function readCapFigures(db: Database, now: Date): Promise<CapFigures> {
  const [row] = await queryRows(
    db,
    figureRow,
    sql`
    with paid as (
      select w.asset, w.member_id, m.inviter_id, w.payout_amount from withdrawal w join member m on m.id = w.member_id
      where w.state in ('sending', 'done') and exists (
        select from payout_transaction t where t.withdrawal_id = w.id and t.signed_at > ${new Date(now.getTime() - DAY_MS)})
    ), grouped as (
      select asset, head, sum(payout_amount) as amount from (
        select asset, member_id as head, payout_amount from paid
        union all select asset, inviter_id, payout_amount from paid where inviter_id is not null
      ) part group by asset, head
    )
    select
      coalesce(max(round((p.cap - p.left_of_cap) * 1000000 / p.cap)), 0)::bigint as used,
      coalesce(max(round(g.amount * 1000000 / p.cap)), 0)::bigint as by_one
    from payout_cap p left join lateral (select max(amount) as amount from grouped where asset = p.asset) g on true
    where p.cap > 0`,
  )
  return { used: Number(row?.used ?? 0n) / 1e6, byOne: Number(row?.by_one ?? 0n) / 1e6 }
}

/** By asset: the cap and what was left of it when the contract was last asked, in base units. */
export async function readCaps(db: Database): Promise<{ asset: AssetCode; cap: bigint; left: bigint }[]> {
  const rows = await db.selectFrom('payout_cap').select(['asset', 'cap', 'left_of_cap']).orderBy('asset').execute()
  return rows.map(({ asset, cap, left_of_cap: left }) => ({ asset, cap, left }))
}
