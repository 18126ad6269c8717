import type { AssetCode } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Database } from '../../db/open.ts'

/** A payment out that is no withdrawal of ours. Amount in base units. */
export type ForeignPayout = { id: bigint; tx_hash: string; asset: AssetCode; amount: bigint; to_address: string }

/** Shown of many; the figure counts all. */
const SHOWN = 20

/** Payments out of the followed blocks that are no withdrawal of ours and that nobody has explained, oldest first. */
export const listForeignPayouts = (db: Database): Promise<ForeignPayout[]> =>
  db
    .selectFrom('foreign_payout')
    .select(['id', 'tx_hash', 'asset', 'amount', 'to_address'])
    .orderBy('id')
    .limit(SHOWN)
    .execute()

/** At once with the block that has it, not only when it is deep enough to be settled. */
export async function hasForeignPayout(db: Database): Promise<boolean> {
  return (await db.selectFrom('foreign_payout').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** For a gauge. */
export async function countForeignPayouts(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('foreign_payout')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const wordsOfPayout = ({ tx_hash, asset, amount, to_address }: ForeignPayout): string =>
  `${fromBaseUnits(amount)} ${asset} were paid to ${to_address} by ${tx_hash}, which is no withdrawal of ours`
