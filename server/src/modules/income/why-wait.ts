import { sql } from 'kysely'
import type { Tx } from '../../db/open.ts'
import { addDays, startOfDay } from '@candela/protocol/calendar'

type Followed = { followed: bigint; halted_reason: string | null }

/** How far the chain is followed, locked: no payment is credited, and no other day opened, until the transaction ends. */
export const lockFollowed = (tx: Tx): Promise<Followed | undefined> =>
  tx.selectFrom('chain_cursor').select(['followed', 'halted_reason']).forUpdate().executeTakeFirst()

/**
 * Why a day cannot be closed yet; null when it can. A day is closed only on what cannot change any more: its blocks are
 * as deep as the largest payment needs, everything in them is credited, and no deposit for it is still confirming.
 * @param maxWait_ms how long after its end a day waits for deposits that confirm; anyone may send them
 */
export async function whyWait(
  tx: Tx,
  cursor: Followed | undefined,
  day: string,
  { depth, maxWait_ms }: { depth: number; maxWait_ms: number },
): Promise<string | null> {
  if (cursor === undefined) return 'the chain is not followed yet'
  if (cursor.halted_reason !== null) return 'crediting has stopped'
  const end = startOfDay(addDays(day, 1))
  const final = await tx
    .selectFrom('chain_block')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('number', '<=', cursor.followed - BigInt(depth) + 1n)
    .executeTakeFirst()
  if (final === undefined || final.at === null || final.at < end) return 'the blocks of the day are not final yet'
  const waiting = await tx
    .selectFrom('uncredited_payment')
    .select('id')
    .where(
      sql<boolean>`(
        (not failing and block_at < ${end})
        or (revenue_day <= ${day}::date and extract(epoch from block_at - ${end}::timestamptz) * 1000 < ${maxWait_ms}::float8)
      )`,
    )
    .limit(1)
    .executeTakeFirst()
  return waiting === undefined ? null : 'payments that belong to the day are still confirming'
}
