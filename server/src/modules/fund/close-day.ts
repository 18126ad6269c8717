import type { Tx } from '../../db/open.ts'
import { drawPlace } from '../../ledger/balances.ts'
import { post } from '../../ledger/post.ts'
import { earningsPosting } from './postings.ts'
import { lockFund } from './read-fund.ts'
import { giveUnownedInterest } from './unowned-interest.ts'

/**
 * Closes a UTC day of the fund: interest that was charged so far counts in the share price from now on. Once for each day;
 * a repetition changes nothing.
 * @param inDoubt pending interest that may be taken back, and counts on a later day; null for all of it. USDT base units
 * @returns false when the day was closed before
 */
export async function closeFundDay(tx: Tx, day: string, inDoubt: bigint | null, now: Date): Promise<boolean> {
  const locked = await lockFund(tx)
  const closed = await tx.selectFrom('fund_price').select('id').where('day', '=', day).executeTakeFirst()
  if (closed !== undefined) return false
  const fund = await giveUnownedInterest(tx, locked, day, now)
  // Without shares there is no price that it could count in: it waits until it is paid, or somebody has shares.
  const certain = inDoubt === null || fund.pending < inDoubt ? 0n : fund.pending - inDoubt
  const earned = fund.shares === 0n ? 0n : certain
  const place = await drawPlace(tx)
  if (earned > 0n) await post(tx, earningsPosting(day, earned, now))
  await tx
    .insertInto('fund_price')
    .values({
      reason: 'close',
      day,
      loan_no: null,
      at: now,
      assets_before: fund.assets,
      assets_after: fund.assets + earned,
      shares: fund.shares,
      place,
      reserve: fund.reserve,
    })
    .execute()
  return true
}
