import type { Data } from '@candela/protocol/endpoints'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { DAY_MS, RATE_DECIMALS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import { readSettings } from '../../db/settings.ts'
import { createSharedReads } from '../../kernel/shared-reads.ts'
import { lowestOf, ratio_ppm } from './owed.ts'

type Solvency = Data<'GET solvency/now'>
type Summary = NonNullable<Data<'GET home/public'>['solvency']>

const HISTORY_MS = 7 * DAY_MS

/** The last comparison that knows what was owed; undefined before the first. */
async function readLast(db: Database) {
  const run = await db
    .selectFrom('reconciliation')
    .select(['id', 'block_number', 'block_hash', 'block_at', 'at', 'agrees'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (run === undefined) return undefined
  const lines = await db
    .selectFrom('reconciliation_line')
    .select(['asset', 'found', 'owed_members', 'owed_unassigned'])
    .where('reconciliation_id', '=', run.id)
    .execute()
  const assets = lines.flatMap(({ asset, found, owed_members: members, owed_unassigned: unassigned }) => {
    if (members === null || unassigned === null) return []
    const owed = members + unassigned
    return [{ asset, held: found, owed, members, unassigned, ratio: ratio_ppm(found, owed) }]
  })
  if (assets.length !== assetCodes.length) return undefined
  return {
    ...run,
    blockAt: run.block_at ?? run.at,
    assets: assetCodes.flatMap((asset) => assets.filter((one) => one.asset === asset)),
  }
}

/** By the block's own time too: with a node that stands still, a new comparison of an old block would look new. */
async function ageOf(db: Database, { at, blockAt }: { at: Date; blockAt: Date }, now: Date) {
  const { reconcileMaxAgeMinutes } = await readSettings(db)
  const since = Math.min(at.getTime(), blockAt.getTime())
  return {
    ageSeconds: Math.max(0, Math.floor((now.getTime() - since) / 1000)),
    maxAgeSeconds: reconcileMaxAgeMinutes * 60,
  }
}

const ratioText = (ratio: bigint | null): string | null => (ratio === null ? null : fromBaseUnits(ratio, RATE_DECIMALS))

/** Reads the part of it that home shows; null before the first comparison. */
export async function summarizeSolvency(db: Database, now: Date): Promise<Summary | null> {
  const last = await readLast(db)
  if (last === undefined) return null
  const lowest = lowestOf(last.assets)
  return {
    ...(await ageOf(db, last, now)),
    lowest: lowest && { asset: lowest.asset, ratio: fromBaseUnits(lowest.ratio, RATE_DECIMALS) },
    assets: last.assets.map(({ asset, held, owed }) => ({
      asset,
      held: fromBaseUnits(held),
      owed: fromBaseUnits(owed),
    })),
  }
}

/** Anyone may ask, so the history, which is read over thousands of comparisons, is read once for each comparison. */
export function createSolvency(db: Database): (now: Date) => Promise<Solvency> {
  // Between two comparisons it does not change.
  const historyAt = createSharedReads({ maxKept: 1 }, (comparedAt_ms: number) =>
    readHistory(db, new Date(comparedAt_ms - HISTORY_MS)),
  )
  return async (now) => {
    const last = await readLast(db)
    if (last === undefined) return { now: null, history: [] }
    const history = await historyAt(last.at.getTime(), now)
    return {
      now: {
        ...(await ageOf(db, last, now)),
        block: { number: Number(last.block_number), hash: last.block_hash, at: last.blockAt.toISOString() },
        comparedAt: last.at.toISOString(),
        agrees: last.agrees,
        assets: last.assets.map(({ asset, held, owed, members, unassigned, ratio }) => ({
          asset,
          held: fromBaseUnits(held),
          owed: fromBaseUnits(owed),
          owedMembers: fromBaseUnits(members),
          owedUnassigned: fromBaseUnits(unassigned),
          ratio: ratioText(ratio),
        })),
      },
      history,
    }
  }
}

const hourRow = z.object({ hour: z.date(), asset: z.enum(assetCodes), ratio: z.bigint().nullable() })

/** The lowest ratio of each asset in each hour, oldest first. */
async function readHistory(db: Database, since: Date): Promise<Solvency['history']> {
  const rows = await queryRows(
    db,
    hourRow,
    sql`
    select date_trunc('hour', r.at, 'UTC') as hour, l.asset,
      min(trunc(greatest(l.found, 0) * 1000000 / (l.owed_members + l.owed_unassigned)))
        filter (where l.owed_members + l.owed_unassigned > 0) as ratio
    from reconciliation r join reconciliation_line l on l.reconciliation_id = r.id
    where r.at > ${since} and l.owed_members is not null
    group by 1, 2 order by 1`,
  )
  const hours = new Map<number, Record<AssetCode, string | null>>()
  for (const { hour, asset, ratio } of rows) {
    const line = hours.get(hour.getTime()) ?? { JU: null, USDT: null, HASH: null }
    hours.set(hour.getTime(), { ...line, [asset]: ratioText(ratio) })
  }
  return [...hours].map(([at_ms, ratios]) => ({ at: new Date(at_ms).toISOString(), ...ratios }))
}
