import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { forgetRequests } from '../../db/idempotency/sweep-requests.ts'
import { isForeignKeyViolation, type Tx } from '../../db/open.ts'
import { hasAccounts } from '../../ledger/balances.ts'
import { lockLeaving, removeMember, setLeaving } from '../member/leaving.ts'
import { forgetSessions } from './sweep.ts'

/**
 * Removes at most `limit` accounts that were made beyond the limits and for which nothing was paid in. One to which something
 * still belongs, such as an order that is watched, is looked at again a day later. One of which the ledger has accounts never goes.
 * @returns how many were looked at
 */
export async function sweepMembers(tx: Tx, now: Date, limit: number): Promise<number> {
  const leaving = await lockLeaving(tx, now, limit)
  for (const id of leaving) {
    if (await hasAccounts(tx, id)) await setLeaving(tx, id, null)
    else if (!(await remove(tx, id))) await setLeaving(tx, id, new Date(now.getTime() + DAY_MS))
  }
  return leaving.length
}

/** The foreign keys decide whether something still belongs to it, apart from what nobody needs without it. */
async function remove(tx: Tx, id: bigint): Promise<boolean> {
  await sql`savepoint member`.execute(tx)
  try {
    await forgetSessions(tx, id)
    await forgetRequests(tx, id)
    await removeMember(tx, id)
    await sql`release savepoint member`.execute(tx)
    return true
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    await sql`rollback to savepoint member`.execute(tx)
    await sql`release savepoint member`.execute(tx)
    return false
  }
}
