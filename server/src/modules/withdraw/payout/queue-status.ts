import { sql } from 'kysely'
import { queryRows } from '../../../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../../../db/open.ts'

/** How paying out goes, for metrics. */
export type QueueStatus = {
  review: number
  queued: number
  sending: number
  /** Since the oldest withdrawal that waits for us was asked for; 0 when none does. */
  age_s: number
}

const statusRow = z.object({ review: z.number(), queued: z.number(), sending: z.number(), oldest: z.date().nullable() })

export async function readQueueStatus(db: Database, now: Date): Promise<QueueStatus> {
  const rows = await queryRows(
    db,
    statusRow,
    sql`
    select count(*) filter (where state = 'review')::integer as review,
      count(*) filter (where state = 'queued')::integer as queued,
      count(*) filter (where state = 'sending')::integer as sending,
      min(created_at) filter (where state <> 'review') as oldest
    from withdrawal where state in ('review', 'queued', 'sending')`,
  )
  const [row] = rows
  const oldest = row?.oldest ?? null
  const age_s = oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000)
  return { review: row?.review ?? 0, queued: row?.queued ?? 0, sending: row?.sending ?? 0, age_s }
}
