import { yesterdayOf } from '@candela/protocol/calendar'
import { type FundState, worthOf } from '@candela/protocol/fund/fund'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import type { Selectable } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables/index.ts'
import { accountBalance, balancesAt } from '../../ledger/balances.ts'
import { memberAccount } from '../../ledger/chart.ts'

type HoldingData = Data<'POST finance/transferIn'>['holding']

export const sharesAccount = (memberId: bigint) => memberAccount(memberId, 'memberShares', 'SHARE')
/** Kinds of posting that change a member's shares. */
export const shareKinds = ['fund-in', 'fund-out'] as const

/** A member's shares at places among the postings. */
export const sharesAt = (db: Database, memberId: bigint, places: readonly bigint[]): Promise<Map<bigint, bigint>> =>
  balancesAt(db, { account: sharesAccount(memberId), kinds: shareKinds }, places)

/** The gain of some shares by a change of the price; negative for a loss. */
export const profitOf = (shares: bigint, before: FundState, after: FundState): bigint =>
  worthOf(shares, after) - worthOf(shares, before)

/** A member's part of the fund, in base units. */
export type Holding = { shares: bigint; worth: bigint; yesterday: bigint; cumulative: bigint }

/** The worth is what the member would get for all of its shares. */
export async function readHolding(db: Database, memberId: bigint, fund: FundState, now: Date): Promise<Holding> {
  const shares = await accountBalance(db, sharesAccount(memberId))
  const moved = await db.selectFrom('fund_member').selectAll().where('member_id', '=', memberId).executeTakeFirst()
  const worth = worthOf(shares, fund)
  return {
    shares,
    worth,
    yesterday: await earnedOn(db, memberId, yesterdayOf(now)),
    cumulative: worth + (moved?.paid_out ?? 0n) - (moved?.paid_in ?? 0n),
  }
}

export const describeHolding = ({ shares, worth, yesterday, cumulative }: Holding): HoldingData => ({
  shares: fromBaseUnits(shares),
  total: fromBaseUnits(worth),
  yesterday: fromBaseUnits(yesterday),
  cumulative: fromBaseUnits(cumulative),
})

/** Reads what the close of a day gave to the member; zero while the day is not closed. */
async function earnedOn(db: Database, memberId: bigint, day: string): Promise<bigint> {
  const close = await db.selectFrom('fund_price').selectAll().where('day', '=', day).executeTakeFirst()
  if (close === undefined) return 0n
  const shares = (await sharesAt(db, memberId, [close.place])).get(close.place) ?? 0n
  return profitOf(shares, ...statesOf(close))
}

/** The fund before and after a recorded change of its price. */
export const statesOf = (row: Selectable<Tables['fund_price']>): [before: FundState, after: FundState] => [
  { assets: row.assets_before, shares: row.shares },
  { assets: row.assets_after, shares: row.shares },
]
