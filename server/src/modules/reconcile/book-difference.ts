import type { AssetCode } from '@candela/protocol/money/assets'
import type { Tx } from '../../db/open.ts'
import { uuidFromName } from '../../kernel/ids.ts'
import { platformAccount } from '../../ledger/chart.ts'
import { post } from '../../ledger/post.ts'
import { lockComparisons } from './rounds.ts'

/**
 * Takes a difference that the operator has explained into the books, as the last comparison found it: what the contract
 * has too much goes to suspense, what it lacks is the platform's own loss. A difference of zero is booked where a surplus
 * that was tolerated is gone. Once per comparison and asset; what is tolerated is counted anew from there.
 * @param difference found minus expected in base units, as the operator was shown it
 * @returns false when the last comparison did not find exactly this
 */
export async function bookDifference(
  tx: Tx,
  { asset, difference, note }: { asset: AssetCode; difference: bigint; note: string },
  now: Date,
): Promise<boolean> {
  await lockComparisons(tx)
  const last = await tx
    .selectFrom('reconciliation as r')
    .innerJoin('reconciliation_line as l', 'l.reconciliation_id', 'r.id')
    .select(['r.id', 'r.block_number', 'l.expected', 'l.found', 'l.tolerated'])
    .where('l.asset', '=', asset)
    .orderBy('r.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined || last.found - last.expected !== difference) return false
  if (difference === 0n && last.tolerated === 0n) return false
  const booked = await tx
    .insertInto('booked_difference')
    .values({ reconciliation_id: last.id, asset, amount: difference, note, booked_at: now })
    .onConflict((conflict) => conflict.columns(['reconciliation_id', 'asset']).doNothing())
    .executeTakeFirst()
  if (booked.numInsertedOrUpdatedRows === 0n) return false
  if (difference === 0n) return true
  const custody = platformAccount('custody', asset)
  await post(tx, {
    id: uuidFromName(`reconciliation:${last.id}:${asset}`),
    kind: 'reconciliation',
    legs: [
      difference > 0n
        ? { debit: custody, credit: platformAccount('suspense', asset), amount: difference }
        : { debit: platformAccount('equity', asset), credit: custody, amount: -difference },
    ],
    memo: { note, block: String(last.block_number) },
    occurredAt: now,
  })
  return true
}
