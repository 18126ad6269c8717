import type { AssetCode } from '@candela/protocol/money/assets'
import type { Tx } from '../../db/open.ts'
import { uuidFromName } from '../../kernel/ids.ts'
import { platformAccount } from '../../ledger/chart.ts'
import { post } from '../../ledger/post.ts'

/**
 * Takes a difference that the operator has explained into the books, as the last comparison found it: what the contract
 * has too much goes to suspense, what it lacks is the platform's own loss. Once per comparison and asset.
 * @param difference found minus expected in base units, as the operator was shown it
 * @returns false when the last comparison did not find exactly this
 */
export async function bookDifference(
  tx: Tx,
  { asset, difference, note }: { asset: AssetCode; difference: bigint; note: string },
  now: Date,
): Promise<boolean> {
  const last = await tx
    .selectFrom('reconciliation as r')
    .innerJoin('reconciliation_line as l', 'l.reconciliation_id', 'r.id')
    .select(['r.id', 'r.block_number', 'l.expected', 'l.found'])
    .where('l.asset', '=', asset)
    .orderBy('r.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined || difference === 0n || last.found - last.expected !== difference) return false
  const custody = platformAccount('custody', asset)
  const result = await post(tx, {
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
  return result === 'posted'
}
