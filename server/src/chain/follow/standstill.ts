import { MINUTE_MS } from '@candela/protocol/units'
import type { Database } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'

/** Two blocks that are further apart are written down. From which time on it counts, the setting `standstillMinutes` says. */
export const RECORDED_GAP_MS = 10 * MINUTE_MS

/** Whether the chain stood between a block and its child for so long that it is written down. */
export const isGap = (block: { at: Date } | undefined, child: { at: Date } | undefined): boolean =>
  block !== undefined && child !== undefined && child.at.getTime() - block.at.getTime() >= RECORDED_GAP_MS

export type Standstill = { from: Date; to: Date }

/** So many of the last ones are looked at. */
const LOOKED_AT = 100

/** The times in which the chain stood still, the last first. */
export async function readStandstills(db: Database): Promise<Standstill[]> {
  const rows = await db
    .selectFrom('chain_standstill')
    .select(['from_at as from', 'to_at as to'])
    .orderBy('to_at', 'desc')
    .limit(LOOKED_AT)
    .execute()
  if (rows.length === 0) return []
  const least_ms = (await readSettings(db)).standstillMinutes * MINUTE_MS
  return rows.filter((stood) => lengthOf(stood) >= least_ms)
}

const lengthOf = ({ from, to }: Standstill): number => to.getTime() - from.getTime()

/**
 * When what was done on chain counts. For as long as the chain stood, from its first new block on, it counts as done so much earlier:
 * whoever could not act on chain has that time again. Several standstills add up.
 * @param standstills the last first
 */
export function countedAt(standstills: readonly Standstill[], at: Date): Date {
  let counted = at
  for (const stood of standstills) {
    const since_ms = counted.getTime() - stood.to.getTime()
    if (since_ms >= 0 && since_ms < lengthOf(stood)) counted = new Date(counted.getTime() - lengthOf(stood))
  }
  return counted
}

/** How long the chain stood since an instant, in milliseconds. */
export const stoodSince = (standstills: readonly Standstill[], since: Date): number =>
  standstills.reduce((sum, { from, to }) => {
    const begin = from > since ? from : since
    return to > begin ? sum + to.getTime() - begin.getTime() : sum
  }, 0)
