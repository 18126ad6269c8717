import { sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Tx } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'

const foldedRow = z.object({ folded: z.bigint() })

/**
 * Adds what the rolled-up accounts received since the last time to their balance rows and returns how many rows it
 * added. It changes no balance that is read; it keeps reading fast. Run it every few seconds.
 */
export async function rollUp(tx: Tx): Promise<bigint> {
  const rows = await queryRows(tx, foldedRow, sql`select ledger_roll_up() as folded`)
  return must(rows[0], 'a function answers').folded
}
