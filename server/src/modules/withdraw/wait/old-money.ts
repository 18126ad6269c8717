import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { mulDivUp } from '@candela/protocol/money/money'
import type { PostingKind } from '@candela/protocol/posting-kinds'
import { DAY_MS } from '@candela/protocol/units'
import { readLimitPrice } from '../../../chain/price/use-price.ts'
import type { Database } from '../../../db/open.ts'
import { memberBalances } from '../../../ledger/balances.ts'
import { memberAccount } from '../../../ledger/chart.ts'
import { type Flow, readFlows } from '../../../ledger/statement/flows-since.ts'
import { amountWorth } from '../terms.ts'

/** Money that was there this long is old. */
export const OLD_AFTER_MS = DAY_MS

/**
 * Postings by which a member comes by money or parts with it. Not among them: withdrawals, which take old money first, and what moves
 * between a member's own balance, fund shares and loans.
 */
const movingKinds = [
  'deposit',
  'unmatched',
  'assigned',
  'transfer',
  'exchange',
  'income',
  'referral',
] as const satisfies PostingKind[]

/**
 * How much of a balance was there for the last 24 hours, in USDT base units: the least that it was worth in that time, had everything that was
 * withdrawn since been withdrawn before. All at one price for an asset, so that a price that moves makes nothing old or fresh.
 * @param flows the newest first, in USDT base units
 */
export function minWorth(available: bigint, flows: readonly bigint[]): bigint {
  let least = available
  let worth = available
  for (const flow of flows) {
    worth -= flow
    if (worth < least) least = worth
  }
  return least > 0n ? least : 0n
}

/** The old money of a member, in USDT base units. What has no price counts as fresh. */
export async function readOldMoney(db: Database, memberId: bigint, now: Date): Promise<bigint> {
  const balances = await memberBalances(db, memberId)
  const prices = new Map<bigint, bigint>()
  let available = 0n
  for (const asset of assetCodes) {
    const price = await readLimitPrice(db, asset, now)
    if (price === null) continue
    prices.set(memberAccount(memberId, 'memberAvailable', asset), price.price)
    available += amountWorth(balances[asset].available, price.price)
  }
  const since = new Date(now.getTime() - OLD_AFTER_MS)
  const flows = await readFlows(db, [...prices.keys()], { since, kinds: movingKinds })
  return minWorth(available, worthOfPostings(flows, prices))
}

/** Adds up what each posting moved: an exchange takes one asset and gives another at the same time. */
function worthOfPostings(flows: readonly Flow[], prices: ReadonlyMap<bigint, bigint>): bigint[] {
  const worths = new Map<bigint, bigint>()
  for (const { posting, account, amount } of flows) {
    worths.set(posting, (worths.get(posting) ?? 0n) + amountWorth(amount, prices.get(account) ?? 0n))
  }
  return [...worths.values()]
}

/** The part of what is received that is not old, rounded up. Old money is taken first. */
export function freshPart(payout: bigint, { worth, old }: { worth: bigint; old: bigint }): bigint {
  if (worth <= old) return 0n
  return worth === 0n ? payout : mulDivUp(payout, worth - old, worth)
}

/**
 * The amount of fresh money that may be signed of an asset now: a share of the cap, of which what was used comes back evenly within 24
 * hours.
 */
export function leftOfFresh(share: bigint, use: { used: bigint; at: Date } | undefined, now: Date): bigint {
  const used = stillUsed(share, use, now)
  return share > used ? share - used : 0n
}

export function stillUsed(share: bigint, use: { used: bigint; at: Date } | undefined, now: Date): bigint {
  if (use === undefined) return 0n
  const passed_ms = BigInt(Math.max(0, now.getTime() - use.at.getTime()))
  const back = (share * passed_ms) / BigInt(DAY_MS)
  return use.used > back ? use.used - back : 0n
}

export const shareOf = (cap: bigint, percent: number): bigint => (cap * BigInt(percent)) / 100n

export async function readFreshUse(db: Database, asset: AssetCode): Promise<{ used: bigint; at: Date } | undefined> {
  return db.selectFrom('fresh_use').select(['used', 'at']).where('asset', '=', asset).executeTakeFirst()
}

/** Counts what is signed of fresh money, in the transaction that signs it. */
export async function useFresh(
  tx: Database,
  { asset, amount, share }: { asset: AssetCode; amount: bigint; share: bigint },
  now: Date,
): Promise<void> {
  if (amount === 0n) return
  const used = stillUsed(share, await readFreshUse(tx, asset), now) + amount
  await tx
    .insertInto('fresh_use')
    .values({ asset, used, at: now })
    .onConflict((conflict) => conflict.column('asset').doUpdateSet({ used, at: now }))
    .execute()
}
