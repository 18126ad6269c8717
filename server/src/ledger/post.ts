import { codes } from '@candela/protocol/codes/codes'
import { MAX_AMOUNT } from '@candela/protocol/money/money'
import type { PostingKind } from '@candela/protocol/posting-kinds'
import { type RawBuilder, sql } from 'kysely'
import { arrayLiteral, quoteElement } from '../db/array-literal.ts'
import { queryRows } from '../db/query-rows.ts'
import { z } from 'zod'
import type { Tx } from '../db/open.ts'
import { assert, AssertionFailed, must } from '../kernel/assert.ts'
import { AppError } from '../kernel/errors.ts'
import { type AccountId, assetOf } from './chart.ts'
import type { Memo } from './memos.ts'
import { overdrawnError } from './overdrawn.ts'

/** Takes `amount` base units from `debit` and gives them to `credit`: two entries that cancel out. */
export type Leg = { debit: AccountId; credit: AccountId; amount: bigint }

/** Legs that are posted together or not at all. */
export type PostingOf<K extends PostingKind> = {
  /** UUID made before posting and kept for repetitions. */
  id: string
  kind: K
  /** In this order: no floored account may be below zero after any leg. */
  legs: readonly Leg[]
  /**
   * The memo says what the posting refers to: order number, transaction hash, the other side. Compared when the same id comes again.
   */
  memo: Memo<K>
  /** When it happened. Not compared when the same id comes again; the first time stays. */
  occurredAt: Date
}

export type Posting = { [K in PostingKind]: PostingOf<K> }[PostingKind]

/**
 * posted: written now. already: it was there with the same content. conflict: the id belongs to other content.
 * overdrawn: `account` would go below zero; nothing is written and the id stays free.
 */
export type PostOutcome = { outcome: 'posted' | 'already' | 'conflict' } | { outcome: 'overdrawn'; account: AccountId }

/**
 * Posts a batch as if its postings were made one after the other, in one round trip. Returns an outcome for each, in
 * order; one that cannot be posted does not stop the others. Accounts of the chart need not be created first.
 *
 * Run it inside `transaction()`: when two callers post the same id at once, it asks for a repetition (SQL state 40001).
 */
export async function postBatch(tx: Tx, postings: readonly Posting[]): Promise<PostOutcome[]> {
  const outcomes: PostOutcome[] = []
  for (const run of splitAtRepetitions(postings)) outcomes.push(...(await postDistinct(tx, run)))
  return outcomes
}

/**
 * Posts one. 'already' when it was there with the same content.
 * @throws AppError with the chart's code when an account is short (4201, 4206); 4090 when the id has other content.
 */
export async function post(tx: Tx, posting: Posting): Promise<'posted' | 'already'> {
  const result = must((await postBatch(tx, [posting]))[0], 'one posting has one outcome')
  if (result.outcome === 'conflict') throw new AppError(codes.requestIdReused)
  if (result.outcome === 'overdrawn') throw await overdrawnError(tx, result.account)
  return result.outcome
}

/**
 * Posts all of them and expects each to be new, for callers that write rows of their own in the same transaction.
 * @throws AppError as `post` does; AssertionFailed when one of them was posted before
 */
export async function postNew(tx: Tx, postings: readonly Posting[]): Promise<void> {
  const outcomes = postings.length === 0 ? [] : await postBatch(tx, postings)
  for (const [place, result] of outcomes.entries()) {
    if (result.outcome === 'overdrawn') throw await overdrawnError(tx, result.account)
    assert(result.outcome === 'posted', `posting ${postings[place]?.id} (${postings[place]?.kind}): ${result.outcome}`)
  }
}

// The SQL function takes each id once per call. A batch that repeats an id (rare) is posted in pieces.
function splitAtRepetitions(postings: readonly Posting[]): Posting[][] {
  const runs: Posting[][] = []
  let seen = new Set<string>()
  let run: Posting[] = []
  for (const posting of postings) {
    if (seen.has(posting.id)) {
      runs.push(run)
      run = []
      seen = new Set()
    }
    seen.add(posting.id)
    run.push(posting)
  }
  if (run.length > 0) runs.push(run)
  return runs
}

/** The answer of `ledger_post`, and of what answers as it does. */
export const outcomesRow = z.object({ outcomes: z.array(z.bigint()) })

async function postDistinct(tx: Tx, postings: readonly Posting[]): Promise<PostOutcome[]> {
  const result = await queryRows(tx, outcomesRow, sql`select ledger_post(${postingArguments(postings)}) as outcomes`)
  return must(result[0], 'a function answers').outcomes.map(readOutcome)
}

/** The arguments of postings for the ledger's SQL functions. No id may occur twice. @throws AssertionFailed for an unsound one */
export function postingArguments(postings: readonly Posting[]): RawBuilder<unknown> {
  const legs = postings.flatMap((posting, place) => {
    assertSound(posting)
    return posting.legs.map((leg, legPlace) => ({ ...leg, posting: place + 1, place: legPlace + 1 }))
  })
  return sql`
    ${arrayLiteral(postings, ({ id }) => id)}::uuid[],
    ${arrayLiteral(postings, ({ kind }) => kind)}::text[],
    ${arrayLiteral(postings, ({ memo }) => quoteElement(JSON.stringify(memo)))}::jsonb[],
    ${arrayLiteral(postings, ({ occurredAt }) => occurredAt.toISOString())}::timestamptz[],
    ${arrayLiteral(legs, ({ posting }) => posting)}::integer[],
    ${arrayLiteral(legs, ({ place }) => place)}::integer[],
    ${arrayLiteral(legs, ({ debit }) => debit)}::bigint[],
    ${arrayLiteral(legs, ({ credit }) => credit)}::bigint[],
    ${arrayLiteral(legs, ({ amount }) => amount)}::numeric[]`
}

/** Reads the number that `ledger_post` answers for a posting. */
export function readOutcome(code: bigint): PostOutcome {
  if (code > 0n) return { outcome: 'overdrawn', account: code }
  return { outcome: code === 0n ? 'posted' : code === -1n ? 'already' : 'conflict' }
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const kindPattern = /^[a-z][a-z0-9-]*$/

/** The message is built only when something is wrong, because this runs for every posting. @throws AssertionFailed */
export function assertSound(posting: Pick<Posting, 'id' | 'kind' | 'legs'>): void {
  const problem = problemOf(posting)
  if (problem !== undefined) throw new AssertionFailed(`posting ${posting.id}: ${problem}`)
}

function problemOf({ id, kind, legs }: Pick<Posting, 'id' | 'kind' | 'legs'>): string | undefined {
  if (!uuidPattern.test(id)) return 'the id is not a lower-case UUID'
  if (!kindPattern.test(kind)) return `the kind ${kind} is not a word in lower case`
  if (legs.length === 0) return 'no legs'
  for (const { debit, credit, amount } of legs) {
    if (amount <= 0n) return `an amount of ${amount}`
    if (amount > MAX_AMOUNT) return `an amount of more than ${MAX_AMOUNT}`
    if (debit === credit) return `from account ${debit} to itself`
    if (debit % 100n !== credit % 100n) return `accounts ${debit} and ${credit} differ in asset`
    if (assetOf(debit) === undefined) return `account ${debit} has no known asset`
  }
  return undefined
}
