import { sql } from 'kysely'
import { anyOf } from '../../db/any-of.ts'
import type { Tx } from '../../db/open.ts'
import type { AssetCode } from '@candela/protocol/money/assets'

/**
 * Base units: what the books say, what the chain says, and the surplus that earlier comparisons have shown and nobody has
 * booked.
 */
export type ReconciliationLine = { asset: AssetCode; expected: bigint; found: bigint; tolerated: bigint }

/** In so many comparisons in a row a surplus must be there before less of it counts as a loss. */
const TOLERATED_AFTER = 3

/**
 * Comparisons and bookings run one after the other, because each depends on the last comparison. Readers do not wait.
 */
export async function lockComparisons(tx: Tx): Promise<void> {
  await sql`lock table reconciliation in share row exclusive mode`.execute(tx)
}

type Round = { id: bigint; lines: ReconciliationLine[] }

/** The last comparisons with their lines, newest first. */
export async function readRounds(tx: Tx, count: number): Promise<Round[]> {
  if (count === 0) return []
  const runs = await tx.selectFrom('reconciliation').select('id').orderBy('id', 'desc').limit(count).execute()
  if (runs.length === 0) return []
  const ids = runs.map(({ id }) => id)
  const lines = await tx
    .selectFrom('reconciliation_line')
    .selectAll()
    .where('reconciliation_id', '=', anyOf(ids))
    .execute()
  return ids.map((id) => ({ id, lines: lines.filter((line) => line.reconciliation_id === id) }))
}

/**
 * Adds what surplus of the native currency was tolerated so far: the most that so many comparisons in a row have shown
 * since something was last booked.
 */
export async function withTolerated(
  tx: Tx,
  lines: readonly Omit<ReconciliationLine, 'tolerated'>[],
): Promise<ReconciliationLine[]> {
  const rounds = await readRounds(tx, TOLERATED_AFTER - 1)
  const booked = await tx
    .selectFrom('booked_difference')
    .select((eb) => eb.fn.max('reconciliation_id').as('id'))
    .where('asset', '=', 'JU')
    .executeTakeFirst()
  const since = rounds.filter(({ id }) => id > (booked?.id ?? 0n))
  return lines.map((line) => {
    if (line.asset !== 'JU') return { ...line, tolerated: 0n }
    const earlier = since.flatMap((round) => round.lines.filter(({ asset }) => asset === line.asset))
    const shown = [line, ...earlier].map(({ expected, found }) => found - expected)
    const known = since[0]?.lines.find(({ asset }) => asset === line.asset)?.tolerated ?? 0n
    const least = shown.length < TOLERATED_AFTER ? 0n : shown.reduce((a, b) => (a < b ? a : b))
    return { ...line, tolerated: least > known ? least : known }
  })
}
