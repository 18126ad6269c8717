import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { sql } from 'kysely'
import { queryRows } from '../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../db/open.ts'
import { type AccountId, accountParts, type AccountParts, memberAccount } from './chart.ts'

export type MemberBalance = { available: bigint; held: bigint }

/** The balance of one account in base units; zero when nothing was ever posted. Exact for rolled-up accounts too. */
export async function accountBalance(db: Database, account: AccountId): Promise<bigint> {
  const row = await db.selectFrom('ledger_balance').select('balance').where('account', '=', account).executeTakeFirst()
  return row?.balance ?? 0n
}

/** A member's balances in base units, every asset present. */
export async function memberBalances(db: Database, memberId: bigint): Promise<Record<AssetCode, MemberBalance>> {
  const accounts = assetCodes.flatMap((asset) => [
    memberAccount(memberId, 'memberAvailable', asset),
    memberAccount(memberId, 'memberHeld', asset),
  ])
  const rows = await db.selectFrom('ledger_account').select(['id', 'balance']).where('id', 'in', accounts).execute()
  const balances = new Map(rows.map(({ id, balance }) => [id, balance]))
  const read = (asset: AssetCode): MemberBalance => ({
    available: balances.get(memberAccount(memberId, 'memberAvailable', asset)) ?? 0n,
    held: balances.get(memberAccount(memberId, 'memberHeld', asset)) ?? 0n,
  })
  return { JU: read('JU'), USDT: read('USDT'), HASH: read('HASH') }
}

/** One line per account name and asset over all owners. Each asset's lines sum to zero. */
export type TrialLine = Pick<AccountParts, 'name' | 'asset'> & { balance: bigint; entries: bigint }

const trialRow = z.object({ local: z.bigint(), balance: z.bigint(), entries: z.bigint() })

/** The whole ledger in a few lines, from one instant. */
export async function trialBalance(db: Database): Promise<TrialLine[]> {
  const rows = await queryRows(
    db,
    trialRow,
    sql`
    select account % 100000 as local, sum(balance) as balance, sum(entries)::bigint as entries
    from ledger_balance group by 1 order by 1`,
  )
  return rows.map(({ local, balance, entries }) => {
    const { name, asset } = accountParts(local)
    return { name, asset, balance, entries }
  })
}
