import type { AssetCode } from '@candela/protocol/money/assets'
import type { Tx } from '../../../../db/open.ts'
import { insertWithdrawal } from '../../insert-withdrawal.ts'

export type Restored = { withdrawalNo: string; uid: bigint; asset: AssetCode; amount: bigint }

/**
 * unknown: there is no such payment out that could not be settled. known: its withdrawal is in the books, so that something
 * else is wrong with it. noMember: no member has the address that was paid.
 */
export type NotRestored = 'unknown' | 'known' | 'noMember'

/**
 * Makes the withdrawal anew that a payment out belongs to and that the books have lost, as after a restore to an instant before it:
 * takes what was paid from the member whose address it went to. The payment then ends it as any other. Its fee is lost with the
 * books; it counts for no limit, which it passed when it was asked for.
 * @throws AppError 4201 when the member has less: the rest can only be booked as a loss
 */
export async function restorePaid(
  tx: Tx,
  { eventId, withdrawalNo }: { eventId: bigint; withdrawalNo: string },
  now: Date,
): Promise<Restored | NotRestored> {
  const payment = await tx
    .selectFrom('chain_payment')
    .select(['reference', 'asset', 'amount', 'customer'])
    .where('id', '=', eventId)
    .where('action', '=', 'paid')
    .where('state', '=', 'recorded')
    .where('failing', '=', true)
    .executeTakeFirst()
  if (payment === undefined) return 'unknown'
  const { reference: payoutId, asset, amount, customer } = payment
  const before = await tx.selectFrom('withdrawal').select('id').where('payout_id', '=', payoutId).executeTakeFirst()
  if (before !== undefined) return 'known'
  const member = await tx.selectFrom('member').select(['id', 'uid']).where('address', '=', customer).executeTakeFirst()
  if (member === undefined) return 'noMember'
  const terms = { withdrawalNo, payoutId, memberId: member.id, asset, amount, fee: 0n, to: customer }
  await insertWithdrawal(tx, terms, { worth: 0n, approvals: 0, reason: null }, now)
  return { withdrawalNo, uid: member.uid, asset, amount }
}
