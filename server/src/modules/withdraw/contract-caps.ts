import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import type { ContractCap } from '../../chain/payout/payout-chain.ts'
import { type Database, type Tx, transaction } from '../../db/open.ts'

/** Keeps what the contract pays out at most at the time of a followed block, for servers that answer calls. */
export async function keepCaps(
  db: Database,
  { caps, at }: { caps: Readonly<Record<AssetCode, ContractCap>>; at: Date },
): Promise<void> {
  await transaction(db, (tx) =>
    tx
      .insertInto('payout_cap')
      .values(
        assetCodes.map((asset) => ({
          asset,
          cap: caps[asset].cap,
          left_of_cap: caps[asset].left,
          block_at: at,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('asset').doUpdateSet((excluded) => ({
          cap: excluded.ref('excluded.cap'),
          left_of_cap: excluded.ref('excluded.left_of_cap'),
          block_at: excluded.ref('excluded.block_at'),
        })),
      )
      .execute(),
  )
}

/** The most that one payment of an asset can ever be, base units; null while nobody has asked the contract. */
export async function readCap(db: Database | Tx, asset: AssetCode): Promise<bigint | null> {
  const row = await db.selectFrom('payout_cap').select('cap').where('asset', '=', asset).executeTakeFirst()
  return row?.cap ?? null
}
