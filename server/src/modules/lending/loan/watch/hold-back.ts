import { DAY_MS, HOUR_MS, MINUTE_MS } from '@candela/protocol/units'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../../../../db/open.ts'
import { queryRows } from '../../../../db/query-rows.ts'

/**
 * Sales and margin calls wait while their price moves, each loan for a bounded time: whoever keeps a price moving is sold all the
 * same.
 */

/** Why a sale, or a margin call, is held back. The day is that on which the amount was due. */
export type Cause = 'call' | 'line' | 'term' | `default:${string}`

/** While spot is away from the median, in an hour. */
const AT_LINE_MS = 10 * MINUTE_MS
/** While the price is paused, in all. */
const LATE_MS = 3 * DAY_MS
const KEPT_MS = 90 * DAY_MS

const longest = (cause: Cause): number => (isAtLine(cause) ? AT_LINE_MS : LATE_MS)
const isAtLine = (cause: Cause): boolean => cause === 'line' || cause === 'call'

export type Held = { id: bigint; cause: Cause }

const waitRow = z.object({ loan_id: z.bigint(), since: z.date() })

/**
 * Holds loans back that were not yet, for as long as each may be; the time runs from the first call.
 * @param held each loan once
 * @returns the loans that still wait
 */
export async function holdBack(tx: Tx, held: readonly Held[], now: Date): Promise<ReadonlySet<bigint>> {
  if (held.length === 0) return new Set()
  await tx
    .deleteFrom('loan_wait')
    .where('since', '<', new Date(now.getTime() - KEPT_MS))
    .execute()
  const rows = await queryRows(
    tx,
    waitRow,
    sql`
    insert into loan_wait (loan_id, cause, since)
    select id, cause, ${now} from unnest(${held.map(({ id }) => id)}::bigint[], ${held.map(({ cause }) => cause)}::text[]) as held (id, cause)
    on conflict (loan_id, cause) do update set since = case
      when excluded.cause in ('line', 'call') and loan_wait.since <= ${new Date(now.getTime() - HOUR_MS)} then excluded.since
      else loan_wait.since end
    returning loan_id, since`,
  )
  const causes = new Map(held.map(({ id, cause }) => [id, cause]))
  const waiting = rows.filter(({ loan_id, since }) => {
    const cause = causes.get(loan_id)
    return cause !== undefined && now.getTime() - since.getTime() < longest(cause)
  })
  return new Set(waiting.map(({ loan_id }) => loan_id))
}

/** For a search of loans: leaves out those that wait for this cause, so that they are not locked at each look. */
export const isNotHeld = (cause: RawBuilder<unknown>, now: Date, { atLine }: { atLine: boolean }) =>
  sql<boolean>`not exists (select from loan_wait where loan_wait.loan_id = id and loan_wait.cause = ${cause}
    and loan_wait.since > ${new Date(now.getTime() - (atLine ? AT_LINE_MS : LATE_MS))})`
