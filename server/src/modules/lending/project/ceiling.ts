import { codes } from '@candela/protocol/codes/codes'
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Price, type Prices, readPrices } from '../../../chain/price/price.ts'
import { advisoryLocks } from '../../../db/advisory-locks.ts'
import type { Database, Tx } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'
import { readSettings, type Settings } from '../../../db/settings.ts'
import { AppError } from '../../../kernel/errors.ts'

/**
 * How much may be owed on a collateral: a part of what its pair could take if all of it had to be sold. USDT base units of
 * principal, of all projects and leveraged loans.
 */
export type Ceiling = {
  /** For all members together, and for one. Zero while the pair is too young. */
  all: bigint
  member: bigint
}

const BPS = 10_000n

export function ceilingOf(
  { depth }: Pick<Price, 'depth'>,
  { debtCeilingBps, debtMemberBps, pairAgeDays }: Pick<Settings, 'debtCeilingBps' | 'debtMemberBps' | 'pairAgeDays'>,
  now: Date,
): Ceiling {
  // The chain's clock may be ahead of ours by seconds: where no age is asked for, none is measured.
  const isYoung = depth === null || (pairAgeDays > 0 && now.getTime() - depth.since.getTime() < pairAgeDays * DAY_MS)
  const all = isYoung ? 0n : (depth.usdt * BigInt(debtCeilingBps)) / BPS
  return { all, member: (all * BigInt(debtMemberBps)) / BPS }
}

const owedRow = z.object({ all: z.bigint(), member: z.bigint() })

/** Principal that is owed on a collateral, by everybody and by one member. */
export async function readOwedOn(
  db: Database,
  asset: CollateralAsset,
  memberId: bigint,
): Promise<{ all: bigint; member: bigint }> {
  const [owed] = await queryRows(
    db,
    owedRow,
    sql`
    select (select coalesce(sum(borrowed), 0) from project where collateral_asset = ${asset})
      + (select coalesce(sum(change), 0) from lever_total where collateral_asset = ${asset}) as all,
      (select coalesce(sum(principal), 0) from loan_with_debt
        where member_id = ${memberId} and collateral_asset = ${asset} and closed_at is null) as member`,
  )
  return owed ?? { all: 0n, member: 0n }
}

/** Reads what one member can still owe on a collateral. */
export async function readCeilingLeft(
  db: Database,
  asset: CollateralAsset,
  memberId: bigint,
  ceiling: Ceiling,
): Promise<bigint> {
  const owed = await readOwedOn(db, asset, memberId)
  const [all, member] = [ceiling.all - owed.all, ceiling.member - owed.member]
  const left = all < member ? all : member
  return left > 0n ? left : 0n
}

type New = { asset: CollateralAsset; memberId: bigint; amount: bigint }

/** @throws AppError 4301 with how much more the member can owe on the collateral */
export async function requireBelowCeiling(
  db: Database,
  { asset, memberId, amount }: New,
  ceiling: Ceiling,
): Promise<void> {
  const left = await readCeilingLeft(db, asset, memberId, ceiling)
  if (amount > left) throw new AppError(codes.overCreditLimit, { limit: fromBaseUnits(left) })
}

/** The same; until the transaction ends nobody else borrows on the collateral. Locked after members and projects. */
export async function takeBelowCeiling(tx: Tx, loan: New, ceiling: Ceiling): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLocks.ceiling}, hashtext(${loan.asset}))`.execute(tx)
  await requireBelowCeiling(tx, loan, ceiling)
}

/** Puts the changes of what leveraged loans owe together into one for each asset. Several at once are fine: each row is taken by one of them. */
export async function foldLeverTotal(db: Database): Promise<void> {
  await sql`
    with taken as (delete from lever_total returning collateral_asset, change)
    insert into lever_total (collateral_asset, change) select collateral_asset, sum(change) from taken group by collateral_asset`.execute(
    db,
  )
}

/** Reads what a member can still owe on each collateral. */
export async function readCeilingsLeft(
  db: Database,
  prices: Prices,
  { memberId, now }: { memberId: bigint; now: Date },
): Promise<Record<CollateralAsset, bigint>> {
  const settings = await readSettings(db)
  const left = (asset: CollateralAsset) => readCeilingLeft(db, asset, memberId, ceilingOf(prices[asset], settings, now))
  const [JU, HASH] = await Promise.all([left('JU'), left('HASH')])
  return { JU, HASH }
}

/** The bounds of the loans on each collateral, from how deep its pair is, and what is owed on it. */
export type Ceilings = Readonly<Record<CollateralAsset, Ceiling & Pick<Price, 'depth'> & { owed: bigint }>>

export async function readCeilings(db: Database, settings: Settings, now: Date): Promise<Ceilings> {
  const prices = await readPrices(db, now)
  const of = async (asset: CollateralAsset) => ({
    depth: prices[asset].depth,
    ...ceilingOf(prices[asset], settings, now),
    // Member 0 does not exist.
    owed: (await readOwedOn(db, asset, 0n)).all,
  })
  const [JU, HASH] = await Promise.all([of('JU'), of('HASH')])
  return { JU, HASH }
}
