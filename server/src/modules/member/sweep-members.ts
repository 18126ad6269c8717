import { DAY_MS, HOUR_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { isForeignKeyViolation, type Tx } from '../../db/open.ts'

export type SweepMembersDeps = {
  /** Whether the ledger has accounts of a member: it goes never then, as the ledger keeps what it has. */
  hasAccounts: (tx: Tx, memberId: bigint) => Promise<boolean>
  /** Removes what other areas keep of a member and nobody needs without it, such as its sessions. */
  forget: (tx: Tx, memberId: bigint) => Promise<void>
}

/**
 * Removes at most `limit` accounts that were made beyond the limits and for which nothing was paid in. One to which something
 * still belongs, such as an order that is watched, is looked at again a day later.
 * @returns how many were looked at
 */
export async function sweepMembers(tx: Tx, deps: SweepMembersDeps, now: Date, limit: number): Promise<number> {
  const leaving = await tx
    .selectFrom('member')
    .select('id')
    .where('leaves_at', '<=', new Date(now.getTime() - HOUR_MS))
    .orderBy('leaves_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const { id } of leaving) {
    if (await deps.hasAccounts(tx, id)) await setLeaving(tx, id, null)
    else if (!(await remove(tx, deps, id))) await setLeaving(tx, id, new Date(now.getTime() + DAY_MS))
  }
  return leaving.length
}

/** The foreign keys decide whether something still belongs to it. */
async function remove(tx: Tx, { forget }: SweepMembersDeps, id: bigint): Promise<boolean> {
  await sql`savepoint member`.execute(tx)
  try {
    await forget(tx, id)
    await tx.deleteFrom('member').where('id', '=', id).execute()
    await sql`release savepoint member`.execute(tx)
    return true
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    await sql`rollback to savepoint member`.execute(tx)
    await sql`release savepoint member`.execute(tx)
    return false
  }
}

const setLeaving = (tx: Tx, id: bigint, leaves_at: Date | null) =>
  tx.updateTable('member').set({ leaves_at }).where('id', '=', id).execute()
