import type { Tx } from '../../../../db/open.ts'

/**
 * Lets an empty transaction use the nonce of a payout that the chain does not take. The amount goes back when that transaction is
 * final; should the payment itself be mined before it, it counts. False when no such payout is under way.
 */
export async function giveUp(tx: Tx, withdrawalNo: string, now: Date): Promise<boolean> {
  const changed = await tx
    .updateTable('withdrawal')
    .set({ given_up_at: now, changed_at: now })
    .where('withdrawal_no', '=', withdrawalNo)
    .where('state', '=', 'sending')
    .where('reason', '=', 'paused')
    .where('given_up_at', 'is', null)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}
