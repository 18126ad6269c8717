import { codes } from '@candela/protocol/codes/codes'
import { utcDay } from '@candela/protocol/calendar'
import { sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import type { Tx } from '../open.ts'
import { queryRows } from '../query-rows.ts'
import { readSettings } from '../settings.ts'

const madeRow = z.object({ made: z.int() })

/**
 * Counts a command that costs its member nothing. Those of one member run one after the other until their transactions end; one
 * that fails is not counted.
 * @throws AppError 4212 when the member has made all of this UTC day
 */
export async function takeFreeCommand(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  const { freeCommandsPerDay: limit } = await readSettings(tx)
  const [row] = await queryRows(
    tx,
    madeRow,
    sql`
    insert into free_command (member_id, day, made) values (${memberId}, ${utcDay(now)}::date, 1)
    on conflict (member_id) do update set day = excluded.day,
      made = case when free_command.day = excluded.day then free_command.made + 1 else 1 end
    returning made`,
  )
  if (row !== undefined && row.made > limit) throw new AppError(codes.dailyLimit, { limit })
}
