import { codes } from '@candela/protocol/codes/codes'
import { claimRequests, releaseRequests } from '../db/idempotency/claim-requests.ts'
import type { IdempotentCall } from '../db/idempotency/request-keys.ts'
import { findResult } from '../db/idempotency/run-idempotent.ts'
import { type Database, transaction, type Tx } from '../db/open.ts'
import { must } from '../kernel/assert.ts'
import { AppError } from '../kernel/errors.ts'
import { createBatcher } from '../kernel/batcher.ts'
import { overdrawnError } from './overdrawn.ts'
import { assertSound, type Posting, postBatch, type PostOutcome } from './post.ts'

/** A money command that is one posting, and whose answer is known before it is posted. */
export type Command<T extends object = object> = { call: IdempotentCall; posting: Posting; result: T }

/**
 * Posts once for each request id and answers after the commit: with the result, or with that of the first call of this
 * id and input.
 * @throws AppError 4090 for other input under the same id; 4091 when it was done long ago; the chart's code when an account is short (4201)
 */
export type Commit = <T extends object>(command: Command<T>) => Promise<T>

/** How much one commit may hold: more would lock its accounts for longer than it saves. */
const MAX_BATCH = 100

type Outcome = PostOutcome | { outcome: 'known' }

/**
 * Puts the commands that arrive while a commit is under way together into the next one: one transaction, one flush to
 * disk and four round trips for all of them. A command that fails writes nothing and stops no other.
 */
export function createCommit(db: Database): Commit {
  const commit = createBatcher((batch: readonly Command[]) => transaction(db, (tx) => postClaimed(tx, batch)), {
    maxBatch: MAX_BATCH,
    // A repetition of one of these waits for the next commit, where it finds the result of the first.
    keyOf: ({ call }) => `${call.memberId} ${call.requestId}`,
  })
  return async <T extends object>(command: Command<T>): Promise<T> => {
    // Checked before the batch, so that one unsound posting does not fail the others in it.
    assertSound(command.posting)
    return answer(db, command, await commit(command))
  }
}

async function postClaimed(tx: Tx, batch: readonly Command[]): Promise<Outcome[]> {
  const claimed = await claimRequests(
    tx,
    batch.map(({ call, result }) => ({ ...call, result })),
  )
  const first = batch.filter((_, place) => claimed[place])
  const posted = await postBatch(
    tx,
    first.map(({ posting }) => posting),
  )
  const failed = first.filter((_, place) => posted[place]?.outcome !== 'posted')
  await releaseRequests(
    tx,
    failed.map(({ call }) => call),
  )
  const inOrder = posted.values()
  return claimed.map((isFirst) => (isFirst ? must(inOrder.next().value, 'one outcome each') : { outcome: 'known' }))
}

async function answer<T extends object>(db: Database, { call, result }: Command<T>, outcome: Outcome): Promise<T> {
  if (outcome.outcome === 'posted') return result
  if (outcome.outcome === 'known') return must(await findResult<T>(db, call), 'a request id that is taken has a row')
  if (outcome.outcome !== 'overdrawn') throw new AppError(codes.requestIdReused)
  throw await overdrawnError(db, outcome.account)
}
