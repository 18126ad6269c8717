import { sql } from 'kysely'
import { z } from 'zod'
import type { Database, Tx } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'
import type { WithdrawalRow } from '../change-state.ts'
import { revertedSince } from '../evidence.ts'
import { isPaidOnChain } from './is-paid-on-chain.ts'

/**
 * So many signed payments of one member may be in no block, or have reverted in one that is not final: a recipient that
 * lets all of them revert costs the payer the gas of these before the first one has consequences.
 */
export const MAX_IN_FLIGHT_PER_MEMBER = 2

const idRow = z.object({ id: z.bigint() })

/**
 * The next queued withdrawal that is due. Members take turns: those whose payments did not revert come first, then those
 * with fewer payments under way, then those who have waited longest. So nobody waits for another member's long list.
 */
export async function nextDue(db: Database, now: Date): Promise<WithdrawalRow | undefined> {
  const [next] = await queryRows(
    db,
    idRow,
    sql`
    with in_flight as (
      select w.member_id, count(*) as payments from withdrawal w
      where w.state = 'sending' and not ${isPaidOnChain} group by w.member_id
    ), reverted as (
      select member_id, count(*) as payments from withdrawal
      where state = 'failed' and reason in ('reverted', 'unclear') and changed_at >= ${revertedSince(now)} group by member_id
    )
    select w.id from withdrawal w
    left join in_flight f on f.member_id = w.member_id
    left join reverted r on r.member_id = w.member_id
    where w.state = 'queued' and (w.try_at is null or w.try_at <= ${now})
      and coalesce(f.payments, 0) < ${MAX_IN_FLIGHT_PER_MEMBER}
    order by coalesce(r.payments, 0), coalesce(f.payments, 0), w.id limit 1`,
  )
  if (next === undefined) return undefined
  return db.selectFrom('withdrawal').selectAll().where('id', '=', next.id).executeTakeFirst()
}

const countRow = z.object({ count: z.number() })

/** Asked while the payer's row is locked: another worker may have signed for the member since the withdrawal was chosen. */
export async function hasTurn(tx: Tx, memberId: bigint): Promise<boolean> {
  const [row] = await queryRows(
    tx,
    countRow,
    sql`
    select count(*)::integer as count from withdrawal w
    where w.member_id = ${memberId} and w.state = 'sending' and not ${isPaidOnChain}`,
  )
  return (row?.count ?? 0) < MAX_IN_FLIGHT_PER_MEMBER
}
