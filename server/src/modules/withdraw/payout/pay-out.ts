import { readFollowedBlocks } from '../../../chain/payer/followed.ts'
import { endPriceReviews } from '../end-price-reviews.ts'
import { endDeadPayouts } from './lost/end-dead-payouts.ts'
import { type PayoutDeps } from './payout-deps.ts'
import { replaceStuck } from './replace-payouts.ts'
import { sendPayouts } from './send-payouts.ts'
import { signDue } from './sign-due.ts'

/**
 * One round of paying out: ends reviews that only a paused price was the reason of, ends payouts that cannot happen any more, replaces those that are stuck, signs those that are due, and
 * sends those that are in no block. After a kill at any instant every step is found again in the database. Returns true
 * when there may be more to do at once.
 * @throws RpcError
 */
export async function payOut(deps: PayoutDeps): Promise<boolean> {
  const more = await endPriceReviews(deps)
  if (!(await hasWork(deps))) return more
  const followed = await readFollowedBlocks(deps.db, deps.confirmations)
  if (followed === null) return more
  await endDeadPayouts(deps, followed)
  await replaceStuck(deps, followed)
  const hasRoom = await signDue(deps, followed)
  await sendPayouts(deps)
  return more || hasRoom
}

/** An idle service asks the node nothing. */
async function hasWork({ db }: PayoutDeps): Promise<boolean> {
  const open = await db
    .selectFrom('withdrawal')
    .select('id')
    .where('state', 'in', ['queued', 'sending'])
    .limit(1)
    .executeTakeFirst()
  if (open !== undefined) return true
  const orphan = await db
    .selectFrom('chain_payment')
    .select('id')
    .where('action', '=', 'paid')
    .where((eb) => eb.ref('orphaned'))
    .limit(1)
    .executeTakeFirst()
  return orphan !== undefined
}
