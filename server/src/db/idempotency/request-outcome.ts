import { codes } from '@candela/protocol/codes/codes'
import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { type Database, sqlState, transaction, type Tx } from '../open.ts'
import { queryRows } from '../query-rows.ts'
import { GIVEN_UP, type MemberRequest, requestKeyOf } from './request-keys.ts'

/** The outcome of a request. `unknown` is no outcome: it may still arrive. `underWay` ends as one of the others. */
export type RequestOutcome =
  | { state: 'done'; at: Date; result: Record<string, unknown> }
  | { state: 'givenUp'; at: Date }
  | { state: 'underWay' | 'unknown' }

/** How long a command that is being done is waited for, in milliseconds. */
const WAIT_MS = 500

/** How many requests a member may give up in a day: each leaves a row for 30 days. */
export const MAX_GIVEN_UP = 200

const row = z.object({ input_key: z.string(), result: z.unknown(), created_at: z.date() })

/** @throws AppError 4091 for an id that is too old, 400 for one that is ahead of time */
export async function readOutcome(db: Database, request: MemberRequest): Promise<RequestOutcome> {
  const known = await findRequest(db, request)
  if (known !== undefined) return known
  // An uncommitted write of another transaction cannot be read. It can be run into.
  const tried = await claim(db, request, () => {
    throw new NotWanted()
  })
  return tried ?? { state: 'unknown' }
}

/**
 * Has a request refused whenever it arrives. One that is being done at this moment is waited for: when it succeeds it is done, when it
 * fails it is given up.
 * @throws AppError 4091, 400 as `readOutcome`; 429 after too many on one day
 */
export async function giveUpRequest(db: Database, request: MemberRequest): Promise<RequestOutcome> {
  const known = await findRequest(db, request)
  if (known !== undefined) return known
  const tried = await claim(db, request, (tx) => expectFewGivenUp(tx, request))
  return tried ?? { state: 'givenUp', at: request.now }
}

/**
 * Takes a request id as one that is given up, and then does `work`, with which all of it can be undone. The answer is undefined when
 * it was free, else what became of it.
 */
async function claim(
  db: Database,
  request: MemberRequest,
  work: (tx: Tx) => Promise<void>,
): Promise<RequestOutcome | undefined> {
  const key = requestKeyOf(request)
  try {
    return await transaction(db, async (tx) => {
      await sql`select set_config('lock_timeout', ${`${WAIT_MS}ms`}, true)`.execute(tx)
      // Waits for a transaction that has claimed the same id, until it has ended one way or the other.
      const { numAffectedRows } = await sql`
        insert into request_log (member_id, request_key, input_key, result, created_at)
        values (${request.memberId}, ${key}, ${GIVEN_UP}, '{}', ${request.now})
        on conflict (member_id, request_key) do nothing`.execute(tx)
      if (numAffectedRows === 0n) return await findRequest(tx, request)
      await work(tx)
      return undefined
    })
  } catch (error) {
    if (error instanceof NotWanted) return undefined
    // 55P03: it is still being done.
    if (sqlState(error) === '55P03') return { state: 'underWay' }
    throw error
  }
}

class NotWanted extends Error {}

async function findRequest(db: Database, request: MemberRequest): Promise<RequestOutcome | undefined> {
  const [found] = await queryRows(
    db,
    row,
    sql`
    select input_key, result, created_at from request_log
    where member_id = ${request.memberId} and request_key = ${requestKeyOf(request)}`,
  )
  if (found === undefined) return undefined
  const { input_key, result, created_at: at } = found
  return input_key === GIVEN_UP
    ? { state: 'givenUp', at }
    : { state: 'done', at, result: (result ?? {}) as Record<string, unknown> }
}

async function expectFewGivenUp(tx: Tx, { memberId, now }: MemberRequest): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS)
  const [count] = await queryRows(
    tx,
    z.object({ given_up: z.bigint() }),
    sql`
    select count(*) as given_up from request_log
    where member_id = ${memberId} and input_key = '00000000-0000-0000-0000-000000000000' and created_at > ${since}`,
  )
  if (count !== undefined && count.given_up > MAX_GIVEN_UP) throw new AppError(codes.slowDown)
}
