import type { AssetCode } from '@candela/protocol/money/assets'
import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'
import { readSettings } from '../../../db/settings.ts'
import { OLD_AFTER_MS, readFreshUse, shareOf, stillUsed } from './old-money.ts'
import { MAX_IN_FLIGHT } from '../payout/in-flight.ts'
import { isPaidOnChain } from '../payout/is-paid-on-chain.ts'

/** The facts that decide how long a withdrawal waits. Amounts in base units. */
export type Wait = {
  /** The amount that is received, and the part of it that is fresh money. */
  amount: bigint
  fresh: bigint
  askedAt: Date
  /** The withdrawals of its asset that are signed before it. */
  ahead: { count: number; amount: bigint; fresh: bigint }
  cap: { cap: bigint; left: bigint; at: Date } | null
  /** Fresh money's share of the cap, and what of it is used. */
  share: bigint
  shareUsed: bigint
}

/**
 * When a withdrawal can be signed, were nothing else paid than what is ahead of it; null when nobody knows, or never. What waits for the
 * share of fresh money is old after a day.
 */
export function signableAt({ amount, fresh, askedAt, ahead, cap, share, shareUsed }: Wait, now: Date): Date | null {
  if (cap === null || amount > cap.cap || cap.cap === 0n) return null
  const byCap = cap.at.getTime() + timeFor(ahead.amount + amount - cap.left, cap.cap)
  const byShare = now.getTime() + timeFor(fresh === 0n ? 0n : shareUsed + ahead.fresh + fresh - share, share)
  const oldAt = askedAt.getTime() + OLD_AFTER_MS
  return new Date(Math.max(now.getTime(), byCap, Math.min(byShare, Math.max(now.getTime(), oldAt))))
}

/** How long it takes until so much has come back of what comes back whole in a day. */
const timeFor = (missing: bigint, whole: bigint): number => {
  if (missing <= 0n) return 0
  return whole === 0n ? DAY_MS : Number((missing * BigInt(DAY_MS)) / whole)
}

/** How many blocks it takes to be paid behind so many others, and to have as many blocks on it as it needs. */
export const blocksFor = (ahead: number, confirmations: number): number =>
  Math.floor(ahead / MAX_IN_FLIGHT) + 1 + confirmations

const queueRow = z.object({
  count: z.number(),
  amount: z.bigint(),
  fresh: z.bigint(),
  cap: z.bigint().nullable(),
  left: z.bigint().nullable(),
  at: z.date().nullable(),
  block_ms: z.bigint().nullable(),
})

/** Reads what is ahead of a withdrawal of an asset that is asked for now, and how fast blocks come. */
export async function readQueue(
  db: Database,
  asset: AssetCode,
  now: Date,
): Promise<Pick<Wait, 'ahead' | 'cap' | 'share' | 'shareUsed'> & { block_ms: number | null }> {
  const [[row], { freshCapPercent }, use] = await Promise.all([
    queryRows(
      db,
      queueRow,
      sql`
      select q.count, q.amount, q.fresh, p.cap, p.left_of_cap as left, p.block_at as at, pace.block_ms
      from (
        select count(*)::integer as count, coalesce(sum(w.payout_amount), 0) as amount,
          coalesce(sum(w.fresh_amount) filter (where w.state = 'queued'
            and w.created_at > ${new Date(now.getTime() - OLD_AFTER_MS)}), 0) as fresh
        from withdrawal w
        where w.asset = ${asset} and (w.state = 'queued' or w.state = 'sending' and not ${isPaidOnChain})
      ) q
      left join payout_cap p on p.asset = ${asset}
      left join lateral (${paceOfBlocks}) pace on true`,
    ),
    readSettings(db),
    readFreshUse(db, asset),
  ])
  const { count = 0, amount = 0n, fresh = 0n } = row ?? {}
  const hasCap = row !== undefined && row.cap !== null && row.left !== null && row.at !== null
  const cap = hasCap ? { cap: row.cap ?? 0n, left: row.left ?? 0n, at: row.at ?? now } : null
  const share = shareOf(cap?.cap ?? 0n, freshCapPercent)
  const block_ms = row === undefined || row.block_ms === null ? null : Number(row.block_ms)
  return { ahead: { count, amount, fresh }, cap, share, shareUsed: stillUsed(share, use, now), block_ms }
}

/** SQL: the time between the newest followed blocks. */
export const paceOfBlocks = sql`
  select round(extract(epoch from max(b.at) - min(b.at)) * 1000 / nullif(max(b.number) - min(b.number), 0))::bigint as block_ms
  from chain_block b join chain_cursor c on b.number > c.followed - 100`
