import { codes } from '@candela/protocol/codes/codes'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import type { AssetCode } from '@candela/protocol/money/assets'
import { memberPostingKinds } from '@candela/protocol/posting-kinds'
import type { OwedParts } from '@candela/protocol/proof/owed-parts'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { balancesBefore } from '../../ledger/balances.ts'
import { memberAccount } from '../../ledger/chart.ts'
import { readJoinedAt } from '../member/read-address.ts'
import { readAttested } from './read-attested.ts'
import { findLeaf } from './read-proof.ts'

/** Nothing for a snapshot of before, in which a share counted at its worth. */
const poolOf = (row: Tables['proof_snapshot']): Pick<OwedParts, 'pool'> =>
  row.pool_shares === null
    ? {}
    : {
        pool: {
          USDT: String(row.pool_usdt),
          HASH: String(row.pool_hash),
          JU: String(row.pool_ju),
          shares: String(row.pool_shares),
        },
      }

const textOf = (price: bigint | null): string | null => (price === null ? null : String(price))

/**
 * Reads what a member's leaf was computed from. Balances and shares are the ledger's own at the snapshot's sequence, so that what was
 * counted then is compared with the entries that the member's statement shows.
 * @throws AppError notFound when nothing is attested for the day, or the member joined after its snapshot
 */
export async function getOwed(db: Database, memberId: bigint, day?: string): Promise<OwedParts> {
  const row = await readAttested(db, day)
  if (row === undefined) throw new AppError(codes.notFound)
  const isThere = (await findLeaf(db, row, memberId)) !== null
  // A member without a leaf was there if its account is older: what it is owed is in the platform's leaf.
  if (!isThere && (row.small_members === null || (await readJoinedAt(db, memberId)) > row.taken_at))
    throw new AppError(codes.notFound)
  const accounts = [
    ...proofAssets.map((asset) => memberAccount(memberId, 'memberAvailable', asset)),
    ...proofAssets.map((asset) => memberAccount(memberId, 'memberHeld', asset)),
    memberAccount(memberId, 'memberShares', 'SHARE'),
  ]
  const balances = await balancesBefore(db, { accounts, kinds: memberPostingKinds }, row.sequence + 1n)
  const perAsset = (first: number) =>
    Object.fromEntries(proofAssets.map((asset, nth) => [asset, String(balances[first + nth] ?? 0n)])) as Record<
      AssetCode,
      string
    >
  const part = await db
    .selectFrom('proof_part')
    .selectAll()
    .where('day', '=', row.day)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return {
    day: row.day,
    ledgerSequence: String(row.sequence),
    available: perAsset(0),
    held: perAsset(proofAssets.length),
    shares: String(balances.at(-1) ?? 0n),
    fund: { assets: String(row.fund_assets), shares: String(row.fund_shares) },
    ...poolOf(row),
    prices: { JU: textOf(row.price_ju), HASH: textOf(row.price_hash) },
    collateral: { JU: String(part?.collateral_ju ?? 0n), HASH: String(part?.collateral_hash ?? 0n) },
    debt: String(part?.debt ?? 0n),
    paidLater: {
      USDT: String(part?.paid_usdt ?? 0n),
      HASH: String(part?.paid_hash ?? 0n),
      JU: String(part?.paid_ju ?? 0n),
    },
  }
}
