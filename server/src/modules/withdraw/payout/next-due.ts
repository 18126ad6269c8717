import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database, Tx } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'
import { revertedSince } from '../evidence.ts'
import { OLD_AFTER_MS } from '../wait/old-money.ts'
import { isPaidOnChain } from './is-paid-on-chain.ts'

/**
 * So many signed payments of one member may be in no block, or have reverted in one that is not final: a recipient that
 * lets all of them revert costs the payer the gas of these before the first one has consequences.
 */
export const MAX_IN_FLIGHT_PER_MEMBER = 2
/** A withdrawal that has waited this long is signed before everything else of its asset; it is old money by then. */
export const FIRST_AFTER_MS = OLD_AFTER_MS
/** More than are ever signed in one round, so that some are left when others do not fit beside each other. */
const READ_PER_ASSET = 64

/** The amounts of an asset that may be signed, in base units: what is under way is taken off. */
export type Room = {
  /** The most that one payment can ever be. */
  cap: bigint
  leftOfCap: bigint
  leftOfHeld: bigint
  /** The part for money that its member has not had for 24 hours. */
  leftOfFresh: bigint
  /** A withdrawal that has waited for a day keeps half of what comes back of the cap, not all of it: see `readLateTakenBack`. */
  isHalfKept: boolean
}
export type Rooms = Record<AssetCode, Room>

const dueRow = z.object({
  id: z.bigint(),
  member_id: z.bigint(),
  asset: z.enum(assetCodes),
  payout_amount: z.bigint(),
  /** The part of it that is fresh money; none once it has waited for as long as makes money old. */
  fresh: z.bigint(),
  /** It has waited so long that nothing of its asset is signed before it. */
  is_first: z.boolean(),
  created_at: z.date(),
  in_flight: z.number(),
})
/** A queued withdrawal whose member has a turn. */
export type Due = z.output<typeof dueRow>

/**
 * The first queued withdrawals of each asset that fit into what is left, in the order in which they are signed: members whose
 * payments did not revert come first, then what has waited for a day, then what has waited longest. What has waited for a day is
 * among them also when it does not fit now.
 */
export async function readDue(db: Database, rooms: Rooms, now: Date): Promise<Due[]> {
  const room = sql.join(
    assetCodes.map((asset) => sql`(${asset}, ${fitting(rooms[asset])}::numeric, ${rooms[asset].leftOfFresh}::numeric)`),
    sql`, `,
  )
  return queryRows(
    db,
    dueRow,
    sql`
    with in_flight as (
      select w.member_id, count(*)::integer as payments from withdrawal w
      where w.state = 'sending' and not ${isPaidOnChain} group by w.member_id
    ), reverted as (
      select member_id, count(*) as payments from withdrawal
      where state = 'failed' and reason in ('reverted', 'unclear') and changed_at >= ${revertedSince(now)} group by member_id
    ), turn as (
      select w.id, w.member_id, w.asset, w.payout_amount, o.is_first, w.created_at,
        case when o.is_first then 0 else w.fresh_amount end as fresh, coalesce(f.payments, 0) as in_flight,
        coalesce(r.payments, 0) as reverted,
        row_number() over (partition by w.asset, w.member_id order by o.is_first desc, w.id) as nth_of_member
      from withdrawal w
      cross join lateral (select w.created_at <= ${new Date(now.getTime() - FIRST_AFTER_MS)} as is_first) o
      join (values ${room}) as room (asset, fits, fits_fresh) on room.asset = w.asset
      left join in_flight f on f.member_id = w.member_id
      left join reverted r on r.member_id = w.member_id
      where w.state = 'queued' and (w.try_at is null or w.try_at <= ${now})
        and (w.payout_amount <= room.fits and w.fresh_amount <= room.fits_fresh or o.is_first)
    ), ordered as (
      select *, row_number() over (partition by asset order by reverted, is_first desc, id) as nth from turn
      where nth_of_member + in_flight <= ${MAX_IN_FLIGHT_PER_MEMBER}
    )
    select id, member_id, asset, payout_amount, fresh, is_first, created_at, in_flight from ordered
    where nth <= ${READ_PER_ASSET} order by asset, nth`,
  )
}

const fitting = ({ leftOfCap, leftOfHeld }: Room): bigint => (leftOfCap < leftOfHeld ? leftOfCap : leftOfHeld)

/**
 * Chooses which of them are signed now, at most `count`, in the order of their nonces: assets take turns, beginning behind the one that
 * had the last. Takes them off `rooms`. One that has waited for a day and would fit into the whole cap leaves nothing of it to those
 * behind it, or half of what has come back since.
 */
export function chooseDue(
  due: readonly Due[],
  rooms: Rooms,
  { count, last, now }: { count: number; last: AssetCode | null; now: Date },
): Due[] {
  const waiting = new Map(assetCodes.map((asset) => [asset, due.filter((one) => one.asset === asset)]))
  const inFlight = new Map(due.map((one) => [one.member_id, one.in_flight]))
  const kept = new Set<AssetCode>()
  const take = (asset: AssetCode): Due | undefined => {
    const queue = waiting.get(asset) ?? []
    const room = rooms[asset]
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const { payout_amount: amount, member_id: member } = one
      const underWay = inFlight.get(member) ?? 0
      if (underWay >= MAX_IN_FLIGHT_PER_MEMBER || amount > room.leftOfHeld || one.fresh > room.leftOfFresh) continue
      if (amount > room.leftOfCap) {
        if (!one.is_first || amount > room.cap || kept.has(asset)) continue
        kept.add(asset)
        room.leftOfCap = room.isHalfKept ? besideHalf(one, room, now) : 0n
        continue
      }
      room.leftOfCap -= amount
      room.leftOfHeld -= amount
      room.leftOfFresh -= one.fresh
      inFlight.set(member, underWay + 1)
      return one
    }
    return undefined
  }
  const chosen: Due[] = []
  const start = last === null ? 0 : assetCodes.indexOf(last) + 1
  for (let turn = start, idle = 0; chosen.length < count && idle < assetCodes.length; turn++) {
    const asset = assetCodes[turn % assetCodes.length]
    const one = asset && take(asset)
    if (one !== undefined) chosen.push(one)
    idle = one === undefined ? idle + 1 : 0
  }
  return chosen
}

/** Computes what is left of a cap beside what one that has waited for a day keeps: half of what has come back since then. */
function besideHalf({ created_at }: Due, { cap, leftOfCap }: Room, now: Date): bigint {
  const since_ms = BigInt(now.getTime() - created_at.getTime() - FIRST_AFTER_MS)
  const half = (cap * since_ms) / (2n * BigInt(DAY_MS))
  return leftOfCap > half ? leftOfCap - half : 0n
}

const assetRow = z.object({ asset: z.enum(assetCodes) })

/**
 * Assets of which somebody has, within a week, taken back a withdrawal that had waited for a day. Who does so keeps the cap from all others at no
 * cost, from any number of accounts. So none keeps all of it there for that week.
 */
export async function readLateTakenBack(db: Database, now: Date): Promise<ReadonlySet<AssetCode>> {
  const rows = await queryRows(
    db,
    assetRow,
    sql`
    select a.asset from unnest(${assetCodes}::text[]) as a (asset) where exists (
      select from withdrawal w where w.asset = a.asset and w.taken_back_at > ${new Date(now.getTime() - 7 * DAY_MS)}
        and w.taken_back_at - w.created_at >= interval '24 hours')`,
  )
  return new Set(rows.map(({ asset }) => asset))
}

const countRow = z.object({ count: z.number() })

/** Asked while the payer's row is locked: another worker may have signed for the member since the withdrawal was chosen. */
export async function hasTurn(tx: Tx, memberId: bigint): Promise<boolean> {
  const [row] = await queryRows(
    tx,
    countRow,
    sql`
    select count(*)::integer as count from withdrawal w
    where w.member_id = ${memberId} and w.state = 'sending' and not ${isPaidOnChain}`,
  )
  return (row?.count ?? 0) < MAX_IN_FLIGHT_PER_MEMBER
}
