import { codes } from '@candela/protocol/codes/codes'
import { sql } from 'kysely'
import { queryRows } from '../query-rows.ts'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { must } from '../../kernel/assert.ts'
import type { Database, Tx } from '../open.ts'
import { GIVEN_UP, type IdempotentCall, keysOf } from './request-keys.ts'
import { utcDay } from '@candela/protocol/calendar'
import { readSettings } from '../settings.ts'

const madeRow = z.object({ made: z.int() })

/**
 * Counts a command that costs its member nothing. Those of one member run one after the other until their transactions end; one
 * that fails is not counted.
 * @throws AppError 4212 when the member has made all of this UTC day
 */
async function takeFreeCommand(tx: Tx, memberId: bigint, now: Date): Promise<void> {
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

const claimedRow = z.object({ request_key: z.string() })
const resultRow = z.object({ input_key: z.string(), result: z.unknown() })

/**
 * Does a money command once for each client-made request id: the work, and its result as JSON, in the same
 * transaction. A repetition with the same input gets the first result; a second one under way waits for the first.
 * A failure is not remembered, because its transaction is rolled back.
 * @throws AppError 4090 when the id was used with other input or for another endpoint, 4091 when it is too old, 4092 when it was given
 * up, 400 when it is ahead of time, 4212 for a free command when the member's day is used up
 */
export async function runIdempotent<T extends object>(
  tx: Tx,
  call: IdempotentCall,
  work: () => Promise<T>,
): Promise<T> {
  const { request, input } = keysOf(call)
  // A concurrent insert of the same key waits here until the other transaction has ended one way or the other.
  const claimed = await queryRows(
    tx,
    claimedRow,
    sql`
    insert into request_log (member_id, request_key, input_key, created_at)
    values (${call.memberId}, ${request}, ${input}, ${call.now})
    on conflict (member_id, request_key) do nothing
    returning request_key`,
  )
  if (claimed.length === 0) return must(await findResult<T>(tx, call), 'a request id that is taken has a row')
  if (call.isFree === true) await takeFreeCommand(tx, call.memberId, call.now)
  const result = await work()
  await sql`
    update request_log set result = ${JSON.stringify(result)}::jsonb
    where member_id = ${call.memberId} and request_key = ${request}`.execute(tx)
  return result
}

/**
 * Finds the result of the first call with this request id; undefined while there was none.
 * @throws AppError as `runIdempotent`
 */
export async function findResult<T>(db: Database, call: IdempotentCall): Promise<T | undefined> {
  const { request, input } = keysOf(call)
  const [first] = await queryRows(
    db,
    resultRow,
    sql`
    select input_key, result from request_log
    where member_id = ${call.memberId} and request_key = ${request}`,
  )
  if (first === undefined) return undefined
  if (first.input_key === GIVEN_UP) throw new AppError(codes.requestGivenUp)
  if (first.input_key !== input) throw new AppError(codes.requestIdReused)
  // Older versions forgot results of requests that are almost too old now.
  if (first.result === null) throw new AppError(codes.requestTooOld)
  return first.result as T
}
