import { subscriptionOf } from '@candela/protocol/fund/fund'
import { toBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../db/open.ts'
import type { PostingOf } from '../../ledger/post.ts'
import { entriesAfter } from '../../ledger/statement/entries-after.ts'
import { sharesAccount, shareKinds } from './holding.ts'

/** More moves than a member makes in a day. */
const MOST_MOVES = 1_000

/** The part of an amount moved in that paid ahead for interest of its day. USDT base units. */
export const aheadOf = ({ amount, assets, shares, pending }: PostingOf<'fund-in'>['memo']): bigint =>
  subscriptionOf(
    toBaseUnits(amount),
    { assets: toBaseUnits(assets), shares: toBaseUnits(shares) },
    toBaseUnits(pending),
  ).equalisation

/**
 * Reads what a member has paid ahead since the last close, which the next close gives back. USDT base units.
 * @param place of the last close; 0 before the first
 */
export async function readPaidAhead(db: Database, memberId: bigint, place: bigint): Promise<bigint> {
  const account = sharesAccount(memberId)
  const moves = await entriesAfter(db, { account, kinds: shareKinds, posting: place, limit: MOST_MOVES })
  let ahead = 0n
  for (const { kind, memo, amount, balance } of moves) {
    if (kind === 'fund-in' && memo !== null) ahead += aheadOf(memo)
    // A member who moves out before the close leaves that part to the others.
    if (amount < 0n && balance !== null) ahead = (ahead * balance) / (balance - amount)
  }
  return ahead
}
