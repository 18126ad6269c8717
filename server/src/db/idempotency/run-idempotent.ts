import { createHash } from 'node:crypto'
import { codes } from '@candela/protocol/codes/codes'
import { sql } from 'kysely'
import { queryRows } from '../query-rows.ts'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { must } from '../../kernel/assert.ts'
import type { Database, Tx } from '../open.ts'

/** What identifies a money command: who, the client's own id, which endpoint, and everything it was asked to do. */
export type IdempotentCall = {
  memberId: bigint
  requestId: string
  endpoint: string
  /** Parsed input; bigints and dates are fine. The request id may be part of it. */
  input: unknown
  now: Date
}

const claimedRow = z.object({ request_id: z.string() })
const resultRow = z.object({ endpoint: z.string(), input_hash: z.instanceof(Buffer), result: z.unknown() })

/**
 * Does a money command once for each client-made request id: the work, and its result as JSON, in the same
 * transaction. A repetition with the same input gets the first result; a second one under way waits for the first.
 * A failure is not remembered, because its transaction is rolled back.
 * @throws AppError 4090 when the id was used with other input or for another endpoint
 */
export async function runIdempotent<T extends object>(
  tx: Tx,
  call: IdempotentCall,
  work: () => Promise<T>,
): Promise<T> {
  const inputHash = inputHashOf(call.input)
  // A concurrent insert of the same key waits here until the other transaction has ended one way or the other.
  const claimed = await queryRows(
    tx,
    claimedRow,
    sql`
    insert into request_log (member_id, request_id, endpoint, input_hash, result, created_at)
    values (${call.memberId}, ${call.requestId}, ${call.endpoint}, ${inputHash}, 'null', ${call.now})
    on conflict (member_id, request_id) do nothing
    returning request_id`,
  )
  if (claimed.length === 0) return must(await findResult<T>(tx, call), 'a request id that is taken has a row')
  const result = await work()
  await sql`
    update request_log set result = ${JSON.stringify(result)}::jsonb
    where member_id = ${call.memberId} and request_id = ${call.requestId}`.execute(tx)
  return result
}

/**
 * What the first call with this request id got; undefined while there was none.
 * @throws AppError 4090 when it had other input or went to another endpoint
 */
export async function findResult<T>(db: Database, call: IdempotentCall): Promise<T | undefined> {
  const [first] = await queryRows(
    db,
    resultRow,
    sql`
    select endpoint, input_hash, result from request_log
    where member_id = ${call.memberId} and request_id = ${call.requestId}`,
  )
  if (first === undefined) return undefined
  if (first.endpoint !== call.endpoint || !first.input_hash.equals(inputHashOf(call.input))) {
    throw new AppError(codes.requestIdReused)
  }
  return first.result as T
}

/** What a repetition is compared by. */
export const inputHashOf = (input: unknown): Buffer => createHash('sha256').update(stableJson(input)).digest()

/** JSON in which equal values have equal texts: keys sorted, bigints marked, so that 1n and "1" differ. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return { bigint: inner.toString() }
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
