import { HOUR_MS } from '@candela/protocol/units'
import type { Tx } from '../../db/open.ts'

/** The accounts that are to go by now, the first one first. Other transactions pass over them until this one ends. */
export async function lockLeaving(tx: Tx, now: Date, limit: number): Promise<bigint[]> {
  const leaving = await tx
    .selectFrom('member')
    .select('id')
    .where('leaves_at', '<=', new Date(now.getTime() - HOUR_MS))
    .orderBy('leaves_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return leaving.map(({ id }) => id)
}

/** @param leaves_at null for an account that stays */
export async function setLeaving(tx: Tx, id: bigint, leaves_at: Date | null): Promise<void> {
  await tx.updateTable('member').set({ leaves_at }).where('id', '=', id).execute()
}

/** @throws a violation of a foreign key while something still belongs to the account */
export async function removeMember(tx: Tx, id: bigint): Promise<void> {
  await tx.deleteFrom('member').where('id', '=', id).execute()
}
