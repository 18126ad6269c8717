import type { Database } from '../db/open.ts'
import { type LedgerAsset, memberAccountNumbers, type MemberAccountName } from './chart.ts'

/** One balance of a member that is not zero, in base units. */
export type MemberHolding = { memberId: bigint; account: MemberAccountName; asset: LedgerAsset; balance: bigint }

const names = ['memberAvailable', 'memberHeld', 'memberShares'] as const
const assets = ['JU', 'USDT', 'HASH', 'SHARE'] as const
const { factor } = memberAccountNumbers('memberAvailable', 'USDT')
/** Maps the digits behind an owner's to what the account is: looked up, because this is asked for each account there is. */
const places = new Map(
  names.flatMap((account) =>
    assets.map((asset) => [memberAccountNumbers(account, asset).offset, { account, asset }] as const),
  ),
)

/** Every balance that is not zero of the members from one id to another, both included. Reads a range of the index. */
export async function holdingsOfMembers(db: Database, from: bigint, to: bigint): Promise<MemberHolding[]> {
  const rows = await db
    .selectFrom('ledger_account')
    .select(['id', 'balance'])
    .where('id', '>=', from * factor)
    .where('id', '<', (to + 1n) * factor)
    .where('balance', '<>', 0n)
    .execute()
  return rows.map(({ id, balance }) => {
    const place = places.get(id % factor)
    if (place === undefined) throw new Error(`account ${id} is no member's`)
    return { memberId: id / factor, ...place, balance }
  })
}
