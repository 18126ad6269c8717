import { codes } from '@candela/protocol/codes'
import { claimAll, unclaimAll } from '../db/once-batch.ts'
import { findResult, type OnceCall } from '../db/once.ts'
import { type Database, transaction, type Tx } from '../db/open.ts'
import { must } from '../kernel/assert.ts'
import { AppError } from '../kernel/errors.ts'
import { accountParts, overdrawnCode } from './chart.ts'
import { assertSound, type Posting, postBatch, type PostOutcome } from './post.ts'

/** A money command that is one posting, and whose answer is known before it is posted. */
export type Command<T extends object = object> = { call: OnceCall; posting: Posting; result: T }

/**
 * Posts once for each request id and answers after the commit: with the result, or with that of the first call of this
 * id and input.
 * @throws AppError 4090 for other input under the same id; the chart's code when an account is short (4201)
 */
export type Commit = <T extends object>(command: Command<T>) => Promise<T>

/** What one commit may carry: more would hold its accounts for longer than it saves. */
const MOST = 100

type Waiting = Command & { resolve: (result: object) => void; reject: (error: unknown) => void }
type Outcome = PostOutcome | { outcome: 'known' }

/**
 * Gathers the commands that arrive while a commit is under way into the next one: one transaction, one flush to disk
 * and four round trips for all of them. Nobody waits for company: the first goes at once, and whatever came in
 * meanwhile goes when it is done. A command that fails leaves nothing and stops no other.
 */
export function createCommit(db: Database): Commit {
  let queue: Waiting[] = []
  let isRunning = false

  const run = async (): Promise<void> => {
    isRunning = true
    while (queue.length > 0) {
      const { batch, later } = takeBatch(queue)
      queue = later
      await settle(db, batch)
    }
    isRunning = false
  }

  return <T extends object>(command: Command<T>) =>
    new Promise<T>((resolve, reject) => {
      // Said here, so that one unsound posting does not fail those that it would travel with.
      assertSound(command.posting)
      queue.push({ ...command, resolve: (result) => resolve(result as T), reject })
      if (!isRunning) void run()
    })
}

/** The first of each request id: a repetition waits for the next commit, and finds the first one's result there. */
function takeBatch(queue: readonly Waiting[]): { batch: Waiting[]; later: Waiting[] } {
  const keys = new Set<string>()
  const [batch, later]: [Waiting[], Waiting[]] = [[], []]
  for (const waiting of queue) {
    const key = `${waiting.call.memberId} ${waiting.call.requestId}`
    if (batch.length >= MOST || keys.has(key)) later.push(waiting)
    else batch.push(waiting)
    keys.add(key)
  }
  return { batch, later }
}

/** Never rejects: each command is told for itself. */
async function settle(db: Database, batch: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await transaction(db, (tx) => postClaimed(tx, batch))
    await Promise.all(batch.map((waiting, place) => answer(db, waiting, must(outcomes[place], 'one outcome each'))))
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

async function postClaimed(tx: Tx, batch: readonly Command[]): Promise<Outcome[]> {
  const claimed = await claimAll(
    tx,
    batch.map(({ call, result }) => ({ ...call, result })),
  )
  const first = batch.filter((_, place) => claimed[place])
  const posted = await postBatch(
    tx,
    first.map(({ posting }) => posting),
  )
  const failed = first.filter((_, place) => posted[place]?.outcome !== 'posted')
  await unclaimAll(
    tx,
    failed.map(({ call }) => call),
  )
  const inOrder = posted.values()
  return claimed.map((isFirst) => (isFirst ? must(inOrder.next().value, 'one outcome each') : { outcome: 'known' }))
}

async function answer(db: Database, waiting: Waiting, outcome: Outcome): Promise<void> {
  const { call, result, resolve, reject } = waiting
  if (outcome.outcome === 'posted') return resolve(result)
  if (outcome.outcome === 'overdrawn') {
    const { asset } = accountParts(outcome.account)
    return reject(new AppError(overdrawnCode(outcome.account), { asset }))
  }
  if (outcome.outcome !== 'known') return reject(new AppError(codes.requestIdReused))
  try {
    resolve(must(await findResult<object>(db, call), 'a request id that is taken has a row'))
  } catch (error) {
    reject(error)
  }
}
