import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import type { PostingKind } from '@candela/protocol/posting-kinds'
import { sql } from 'kysely'
import { queryRows } from '../db/query-rows.ts'
import { z } from 'zod'
import { anyOf } from '../db/any-of.ts'
import type { Database, Tx } from '../db/open.ts'
import { must } from '../kernel/assert.ts'
import { type AccountId, accountParts, type AccountParts, memberAccount, memberAccountNumbers } from './chart.ts'

export type MemberBalance = { available: bigint; held: bigint }

/** The balance of one account in base units; zero when nothing was ever posted. Exact for rolled-up accounts too. */
export async function accountBalance(db: Database, account: AccountId): Promise<bigint> {
  const row = await db.selectFrom('ledger_balance').select('balance').where('account', '=', account).executeTakeFirst()
  return row?.balance ?? 0n
}

/** Balances of several accounts from one instant, in the order of the accounts. Exact for rolled-up accounts too. */
export async function accountBalances(db: Database, accounts: readonly AccountId[]): Promise<bigint[]> {
  if (accounts.length === 0) return []
  const rows = await db
    .selectFrom('ledger_balance')
    .select(['account', 'balance'])
    .where('account', '=', anyOf(accounts))
    .execute()
  const balances = new Map(rows.map(({ account, balance }) => [account, balance]))
  return accounts.map((account) => balances.get(account) ?? 0n)
}

const placedBalance = z.object({ place: z.bigint(), balance: z.bigint() })

/**
 * The balance that an account had at each of the places: after its last entry with a lower number. Not for rolled-up
 * accounts, whose entries have no running balance.
 * @param kinds every kind of posting that changes the account
 */
export async function balancesAt(
  db: Database,
  { account, kinds }: { account: AccountId; kinds: readonly PostingKind[] },
  places: readonly bigint[],
): Promise<Map<bigint, bigint>> {
  const rows = await queryRows(
    db,
    placedBalance,
    sql`
    select place, before.balance
    from unnest(${places}::bigint[]) as place
    cross join lateral ledger_newest(array[${account}::bigint], ${kinds}::text[], place, 0, 0, 1) before`,
  )
  return new Map(rows.map(({ place, balance }) => [place, balance]))
}

const accountRow = z.object({ account: z.bigint(), balance: z.bigint() })

/**
 * The balances that several accounts had at one place, in the order of the accounts; zero where nothing was posted before.
 * Looks at one entry of each kind, however many there are. Not for rolled-up accounts.
 * @param kinds every kind of posting that changes one of the accounts
 */
export async function balancesBefore(
  db: Database,
  { accounts, kinds }: { accounts: readonly AccountId[]; kinds: readonly PostingKind[] },
  place: bigint,
): Promise<bigint[]> {
  const rows = await queryRows(
    db,
    accountRow,
    sql`
    select wanted.account, before.balance
    from unnest(${accounts}::bigint[]) as wanted(account)
    cross join lateral ledger_newest(array[wanted.account], ${kinds}::text[], ${place}::bigint, 0, 0, 1) before`,
  )
  const balances = new Map(rows.map(({ account, balance }) => [account, balance]))
  return accounts.map((account) => balances.get(account) ?? 0n)
}

const dailyBalance = z.object({ account: z.bigint(), day: z.string(), balance: z.bigint() })

/**
 * The balances of accounts at the end of each UTC day on which they changed, oldest first. For accounts with few entries: reads all of
 * them, each by an index.
 */
export const dailyBalances = (db: Database, accounts: readonly AccountId[]) =>
  queryRows(
    db,
    dailyBalance,
    sql`
    select account, day::text as day, sum(moved) over (partition by account order by day) as balance
    from (
      select wanted.account, (posting.occurred_at at time zone 'UTC')::date as day, sum(entry.amount) as moved
      from unnest(${accounts}::bigint[]) as wanted(account)
      cross join lateral (select e.posting, e.amount from ledger_entry e where e.account = wanted.account offset 0) entry
      cross join lateral (select p.occurred_at from ledger_posting p where p.seq = entry.posting offset 0) posting
      group by 1, 2
    ) daily
    order by account, day`,
  )

const movedSum = z.object({ sum: z.bigint() })

/** Sums what postings of these kinds after a place have added to an account, whatever kind of account it is. */
export async function movedBy(
  db: Database,
  { account, kinds }: { account: AccountId; kinds: readonly PostingKind[] },
  after = 0n,
): Promise<bigint> {
  const rows = await queryRows(
    db,
    movedSum,
    sql`
    select coalesce(sum(amount), 0) as sum from ledger_entry
    where account = ${account} and posting > ${after}
      and kind in (select ledger_kind_code(kind) from unnest(${kinds}::text[]) as kind)`,
  )
  return rows[0]?.sum ?? 0n
}

const drawnPlace = z.object({ place: z.bigint() })

/** A place among the postings: what was posted before has lower numbers, what is posted after has higher ones. */
export async function drawPlace(tx: Tx): Promise<bigint> {
  const rows = await queryRows(tx, drawnPlace, sql`select nextval('ledger_batch_seq') * 16384 as place`)
  return must(rows[0], 'a sequence gives a number').place
}

/** The accounts of a member's balances, for a statement that reads them with other rows: see `balancesOf`. */
export const balanceAccounts = (memberId: bigint): AccountId[] =>
  assetCodes.flatMap((asset) => [
    memberAccount(memberId, 'memberAvailable', asset),
    memberAccount(memberId, 'memberHeld', asset),
  ])

/** A member's balances in base units, every asset present, from what was found of its `balanceAccounts`. */
export function balancesOf(
  memberId: bigint,
  rows: readonly { account: bigint | null; balance: bigint | null }[],
): Record<AssetCode, MemberBalance> {
  const balances = new Map(rows.map(({ account, balance }) => [account, balance]))
  const read = (asset: AssetCode): MemberBalance => ({
    available: balances.get(memberAccount(memberId, 'memberAvailable', asset)) ?? 0n,
    held: balances.get(memberAccount(memberId, 'memberHeld', asset)) ?? 0n,
  })
  return { JU: read('JU'), USDT: read('USDT'), HASH: read('HASH') }
}

/** A member's balances in base units, every asset present. */
export async function memberBalances(db: Database, memberId: bigint): Promise<Record<AssetCode, MemberBalance>> {
  const rows = await db
    .selectFrom('ledger_account')
    .select(['id as account', 'balance'])
    .where('id', '=', anyOf(balanceAccounts(memberId)))
    .execute()
  return balancesOf(memberId, rows)
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

/** Whether anything was ever posted to an account of a member. */
export async function hasAccounts(tx: Tx, memberId: bigint): Promise<boolean> {
  const { factor } = memberAccountNumbers('memberAvailable', 'JU')
  const row = await tx
    .selectFrom('ledger_account')
    .select('id')
    .where('id', '>=', memberId * factor)
    .where('id', '<', (memberId + 1n) * factor)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
