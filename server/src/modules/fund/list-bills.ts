import { DAY_MS } from '@candela/protocol/units'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { addMonths, startOfDay, utcDay } from '@candela/protocol/calendar'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import type { Selectable } from 'kysely'
import { cursorCodec } from '../../db/cursor.ts'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables/index.ts'
import { entriesAfter, entriesBefore, type PlacedLine } from '../../ledger/statement/entries-after.ts'
import { aheadOf } from './paid-ahead.ts'
import { profitOf, sharesAccount, sharesAt, shareKinds, statesOf } from './holding.ts'

type Bill = Data<'GET finance/bills'>['items'][number]
type Placed = { place: bigint; at: Date; bill: Bill | null }

const byPlace = cursorCodec('id')

/**
 * Lists what a member moved in and out and what each change of the price gave to it, newest first. A page reads at most as many moves
 * and as many changes as it has lines; changes while the member had no shares are left out, so it may be shorter.
 */
export async function listBills(
  db: Database,
  { period, cursor, limit }: HandlerInput<'GET finance/bills'>,
  { memberId, now }: { memberId: bigint; now: Date },
): Promise<Data<'GET finance/bills'>> {
  const [before] = byPlace.parse(cursor) ?? []
  const since = startOfPeriod(period, now)
  const first = (
    await entriesAfter(db, { account: sharesAccount(memberId), kinds: shareKinds, posting: 0n, limit: 1 })
  )[0]
  if (first === undefined) return { items: [], nextCursor: null }
  const [moved, changes] = await Promise.all([
    readMoves(db, memberId, before, limit + 1),
    readChanges(db, memberId, { from: first.posting, before, limit: limit + 1 }),
  ])
  const merged = [...moved, ...changes].toSorted((one, other) => (one.place < other.place ? 1 : -1))
  const shown = merged.slice(0, limit)
  const last = shown.at(-1)
  const inPeriod = shown.filter(({ at }) => since === null || at >= since)
  const goesOn = merged.length > limit && inPeriod.length === shown.length && last !== undefined
  return {
    items: inPeriod.flatMap(({ bill }) => bill ?? []),
    nextCursor: goesOn ? byPlace.format([last.place]) : null,
  }
}

/** When the period begins; null for everything. */
export function startOfPeriod(period: HandlerInput<'GET finance/bills'>['period'], now: Date): Date | null {
  const months = { month: 1, threeMonths: 3, halfYear: 6, year: 12 } as const
  if (period === 'all') return null
  if (period === 'week') return new Date(now.getTime() - 7 * DAY_MS)
  return startOfDay(addMonths(utcDay(now), -months[period]))
}

async function readMoves(db: Database, memberId: bigint, before: bigint | undefined, limit: number): Promise<Placed[]> {
  const lines = await entriesBefore(db, { account: sharesAccount(memberId), kinds: shareKinds, place: before, limit })
  return lines.map((line) => ({ place: line.posting, at: line.occurredAt, bill: describeMove(line) }))
}

function describeMove(line: PlacedLine): Bill | null {
  if ((line.kind !== 'fund-in' && line.kind !== 'fund-out') || line.memo === null) return null
  const { amount, assets, shares } = line.memo
  const isIn = line.kind === 'fund-in'
  const fund = { assets: toBaseUnits(assets), shares: toBaseUnits(shares) }
  const moved = isIn ? toBaseUnits(amount) - aheadOf(line.memo) : -toBaseUnits(amount)
  const after = {
    assets: fromBaseUnits(fund.assets + moved),
    shares: fromBaseUnits(fund.shares + line.amount),
  }
  return {
    id: line.postingId,
    type: isIn ? 'in' : 'out',
    amount,
    profit: '0',
    shares: fromBaseUnits(isIn ? line.amount : -line.amount),
    before: { assets, shares },
    after,
    day: null,
    at: line.occurredAt.toISOString(),
  }
}

type PriceRow = Selectable<Tables['fund_price']>

async function readChanges(
  db: Database,
  memberId: bigint,
  { from, before, limit }: { from: bigint; before: bigint | undefined; limit: number },
): Promise<Placed[]> {
  const rows = await db
    .selectFrom('fund_price')
    .selectAll()
    .where('place', '>', from)
    .$if(before !== undefined, (query) => query.where('place', '<', before ?? 0n))
    .orderBy('place', 'desc')
    .limit(limit)
    .execute()
  const shares = await sharesAt(
    db,
    memberId,
    rows.map(({ place }) => place),
  )
  return rows.map((row) => ({ place: row.place, at: row.at, bill: describeChange(row, shares.get(row.place) ?? 0n) }))
}

function describeChange(row: PriceRow, shares: bigint): Bill | null {
  if (shares === 0n) return null
  const [before, after] = statesOf(row)
  return {
    id: `${row.reason}-${row.id}`,
    type: row.reason === 'close' ? 'earnings' : 'deficit',
    amount: '0',
    profit: fromBaseUnits(profitOf(shares, before, after)),
    shares: fromBaseUnits(shares),
    before: { assets: fromBaseUnits(before.assets), shares: fromBaseUnits(before.shares) },
    after: { assets: fromBaseUnits(after.assets), shares: fromBaseUnits(after.shares) },
    day: row.day,
    at: row.at.toISOString(),
  }
}
