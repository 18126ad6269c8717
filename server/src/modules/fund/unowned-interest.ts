import { utcDay } from '@candela/protocol/calendar'
import type { Tx } from '../../db/open.ts'
import { post } from '../../ledger/post.ts'
import { unownedPosting } from './postings.ts'
import type { Fund } from './read-fund.ts'

/**
 * Gives interest that is not counted yet to the reserve when nobody has shares of the fund, as far as borrowers have paid it: counted in
 * the price, it would make a share of nobody's worth millions.
 * @param fund under its lock
 * @param cause what it is given by: a day, or a request id with its member
 * @returns the fund as it is then
 */
export async function giveUnownedInterest(tx: Tx, fund: Fund, cause: string, now: Date): Promise<Fund> {
  const amount = fund.pending < fund.idle ? fund.pending : fund.idle
  if (fund.shares > 0n || amount <= 0n) return fund
  await post(tx, unownedPosting(cause, utcDay(now), amount, now))
  const { idle, claims, pending, reserve } = fund
  return { ...fund, idle: idle - amount, claims: claims + amount, pending: pending - amount, reserve: reserve + amount }
}
