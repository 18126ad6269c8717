import { codes } from '@candela/protocol/codes/codes'
import { sql } from 'kysely'
import { arrayLiteral, quoteElement } from '../db/array-literal.ts'
import { type IdempotentCall, keysOf } from '../db/idempotency/request-keys.ts'
import { findResult } from '../db/idempotency/run-idempotent.ts'
import { type Database, retryTransaction } from '../db/open.ts'
import { queryRows } from '../db/query-rows.ts'
import { must } from '../kernel/assert.ts'
import { AppError } from '../kernel/errors.ts'
import { createBatcher } from '../kernel/batcher.ts'
import { overdrawnError } from './overdrawn.ts'
import { assertSound, outcomesRow, type Posting, postingArguments, type PostOutcome, readOutcome } from './post.ts'

/** A money command that is one posting, of an id of its own, and whose answer is known before it is posted. */
export type Command<T extends object = object> = { call: IdempotentCall; posting: Posting; result: T }

/**
 * Posts once for each request id and answers after the commit: with the result, or with that of the first call of this
 * id and input.
 * @throws AppError 4090, 4091, 4092, 400 as `runIdempotent` for the request id; the chart's code when an account is short (4201)
 */
export type GroupCommit = ReturnType<typeof createGroupCommit>

/** How much one commit may hold: more would lock its accounts for longer than it saves. */
const MAX_BATCH = 100

type Keyed = Command & { keys: ReturnType<typeof keysOf> }
type Outcome = PostOutcome | { outcome: 'known' }

/**
 * Puts the commands that arrive while a commit is under way together into the next one: one statement, one flush to disk
 * and one round trip for all of them. A command that fails writes nothing and stops no other.
 */
export function createGroupCommit(db: Database) {
  const inGroup = createBatcher((batch: readonly Keyed[]) => commitBatch(db, batch), {
    maxBatch: MAX_BATCH,
    // A repetition of one of these waits for the next commit, where it finds the result of the first.
    keyOf: ({ call }) => `${call.memberId} ${call.requestId}`,
  })
  return {
    async commit<T extends object>(command: Command<T>): Promise<T> {
      // Checked before the batch, so that one unsound posting or one bad request id does not fail the others in it.
      assertSound(command.posting)
      return answer(db, command, await inGroup({ ...command, keys: keysOf(command.call) }))
    },
  }
}

/** An answer of `ledger_commit` that `ledger_post` does not have. */
const KNOWN = -3n

async function commitBatch(db: Database, batch: readonly Keyed[]): Promise<Outcome[]> {
  const calls = batch.map(({ call, keys, result }) => ({ ...call, ...keys, result }))
  // It writes, and a fenced connection takes what begins with "select" for reading.
  const statement = sql`with done as (select ledger_commit(
    ${arrayLiteral(calls, ({ memberId }) => memberId)}::bigint[],
    ${arrayLiteral(calls, ({ request }) => request)}::uuid[],
    ${arrayLiteral(calls, ({ input }) => input)}::uuid[],
    ${arrayLiteral(calls, ({ result }) => quoteElement(JSON.stringify(result)))}::jsonb[],
    ${arrayLiteral(calls, ({ now }) => now.toISOString())}::timestamptz[],
    ${postingArguments(batch.map(({ posting }) => posting))}
  ) as outcomes) select outcomes from done`
  const rows = await retryTransaction(() => queryRows(db, outcomesRow, statement))
  const { outcomes } = must(rows[0], 'a function answers')
  return outcomes.map((outcome) => (outcome === KNOWN ? { outcome: 'known' } : readOutcome(outcome)))
}

async function answer<T extends object>(db: Database, { call, result }: Command<T>, outcome: Outcome): Promise<T> {
  if (outcome.outcome === 'posted') return result
  if (outcome.outcome === 'known') return must(await findResult<T>(db, call), 'a request id that is taken has a row')
  if (outcome.outcome !== 'overdrawn') throw new AppError(codes.requestIdReused)
  throw await overdrawnError(db, outcome.account)
}
