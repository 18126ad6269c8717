import type { AssetCode } from '@candela/protocol/money/assets'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { HOUR_MS, MINUTE_MS } from '@candela/protocol/units'
import { type Selectable, sql } from 'kysely'
import { anyOf } from '../../db/any-of.ts'
import { type Database, sqlState, transaction, type Tx } from '../../db/open.ts'
import type { Tables } from '../../db/tables/index.ts'
import { assert, must } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import { reasonOf } from '../../kernel/errors.ts'
import { uuidFromName } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { type Posting, postBatch } from '../../ledger/post.ts'
import type { ChainAction } from '../follow/read/decode.ts'
import { uncreditedEvents } from '../follow/uncredited.ts'

/** A payment on chain, in or out, that is deep enough to count. Amounts are base units, addresses and hashes lower case. */
export type ConfirmedPayment = {
  eventId: bigint
  txHash: string
  /** Index of the log in its block. It changes when a reorganisation moves the transaction. */
  logIndex: number
  /** Index among the logs of its kind in the same transaction: the part of the key that a reorganisation keeps. */
  txPosition: number
  blockNumber: bigint
  /** The block's own time. */
  blockAt: Date
  /** 'unknown' when the remark could not be read; `reference` then holds the whole remark. */
  action: ChainAction
  /** For money that was paid out: the id that the contract pays once. */
  reference: string
  /** The UTC day whose revenue it is; null for what is no revenue, whatever its reference says. */
  revenueDay: string | null
  asset: AssetCode
  amount: bigint
  /** The account that called the contract and paid; the gateway itself for money that was paid out. */
  payer: string
  /** For whom the payer says it is; who received what was paid out. */
  customer: string
  /** How often the same payment was taken back before, after it had left the chain; never when absent. */
  takenBack?: number
}

/** The decision about one payment: where the money ends, and the ledger lines that put it there (at least one). */
export type Disposition = {
  eventId: bigint
  outcome: 'order' | 'loan' | 'balance' | 'suspense' | 'revenue' | 'withdrawal'
  /**
   * The ids must be `paymentPostingId(payment, 0)`, `paymentPostingId(payment, 1)`, … in this order; for money that was
   * paid out, `payoutPostingId(payment.reference, 0)`, …
   */
  postings: Posting[]
  /**
   * Postings that follow from it, with ids of their own, for the first time: posted in the same batch, before the postings. All
   * accounts are locked in one order then.
   */
  alongside?: readonly Posting[]
  /** The same, posted after the postings. */
  afterwards?: readonly Posting[]
  /** Dust: the UTC day with whose sum it is booked, by `markBooked`. It has no postings then, and is not credited yet. */
  waitsFor?: string
  /** The sum was booked before our records of the chain were lost. */
  isBooked?: true
}

/**
 * Decides about payments in chain order and writes what belongs to the decision (orders, power), all in `tx`.
 * It does not post: that is done by the caller, in the same transaction. One disposition for each payment, any order.
 */
export type SettlePayments = (tx: Tx, payments: readonly ConfirmedPayment[], now: Date) => Promise<Disposition[]>

/**
 * The id of a payment's n-th posting. It is computed only from what the chain says, so the ledger refuses a second
 * credit even when all our records of the chain are lost and read again. A payment that was taken back has other ids when it comes
 * again.
 */
export const paymentPostingId = (
  { txHash, txPosition, takenBack = 0 }: Pick<ConfirmedPayment, 'txHash' | 'txPosition' | 'takenBack'>,
  nth: number,
): string => uuidFromName(`chain:${CHAIN_ID}:${txHash}:${txPosition}:${nth}${takenBack === 0 ? '' : `:${takenBack}`}`)

/**
 * The id of a payout's n-th posting. It is computed from the payout's id and not from a transaction: after a
 * reorganisation deeper than the confirmations a replaced transaction may count instead of its successor, and that is
 * the same payout.
 */
export const payoutPostingId = (payoutId: string, nth: number): string =>
  uuidFromName(`payout:${CHAIN_ID}:${payoutId}:${nth}`)

export type CreditDeps = {
  db: Database
  clock: Clock
  log: Log
  /** Most payments in one transaction. */
  batchSize: number
  /** Whether payments are credited only in the block on which most nodes agree; those that were read again always are. */
  mustAgree?: boolean
}

/** The result of one call. `failed` payments are set aside until their next try. */
export type CreditResult = { credited: number; failed: number }

/**
 * Credits the oldest payments that are deep enough, in chain order, in one transaction with what settles them. It locks
 * the cursor's row: several workers run one after the other, and no block is recorded or reverted meanwhile. Depth
 * counts from the last followed block, not from the head that the node announces. Does nothing while crediting is
 * halted.
 *
 * A payment that cannot be settled is set aside with the reason and the time of its next try; the others are credited.
 * @throws only what concerns all payments, such as a lost database
 */
export async function creditPayments(deps: CreditDeps, settle: SettlePayments): Promise<CreditResult> {
  const now = deps.clock.now()
  const { result, failures } = await transaction(deps.db, async (tx) => {
    const payments = await lockConfirmed(tx, now, deps)
    const set: Failure[] = []
    const credited = await creditOrIsolate(tx, settle, payments, now, set)
    return { result: { credited, failed: set.length }, failures: set }
  })
  // Logged when a payment fails for the first time, or for another reason than before.
  for (const { payment, reason, isNew } of failures) {
    if (!isNew) continue
    const facts = { chain: CHAIN_ID, eventId: String(payment.eventId), txHash: payment.txHash, action: payment.action }
    deps.log.error(
      { event: 'crediting.payment-set-aside', ...facts, reason },
      'a payment could not be settled; it is set aside and tried again',
    )
  }
  return result
}

type Failure = { payment: ConfirmedPayment; reason: string; isNew: boolean }

async function lockConfirmed(
  tx: Tx,
  now: Date,
  { batchSize, mustAgree = false }: CreditDeps,
): Promise<ConfirmedPayment[]> {
  const cursor = await tx.selectFrom('chain_cursor').selectAll().forUpdate().executeTakeFirst()
  if (cursor === undefined || cursor.halted_reason !== null) return []
  const rows = await uncreditedEvents(tx)
    .where('u.waits_for', 'is', null)
    .where(sql<boolean>`u.block_number + e.confirmations_needed - 1 <= ${cursor.followed}`)
    .where(sql<boolean>`(not (${mustAgree}::boolean or e.is_rescanned) or e.agreed_hash = e.block_hash)`)
    .where((where) => where.or([where('e.retry_at', 'is', null), where('e.retry_at', '<=', now)]))
    .orderBy('u.block_number')
    .orderBy('u.log_index')
    .limit(batchSize)
    .execute()
  return rows.map(confirmedPayment)
}

/** A row of `chain_event` as `SettlePayments` takes it. */
export const confirmedPayment = (row: Selectable<Tables['chain_event']>): ConfirmedPayment => ({
  eventId: row.id,
  txHash: row.tx_hash,
  logIndex: row.log_index,
  txPosition: row.tx_position,
  blockNumber: row.block_number,
  blockAt: row.block_at,
  action: row.action,
  reference: row.reference,
  revenueDay: row.revenue_day,
  asset: row.asset,
  amount: row.amount,
  payer: row.payer,
  customer: row.customer,
  takenBack: row.taken_back,
})

/**
 * Credits all of them. When that fails, it tries each half by itself, down to single payments, and sets aside those
 * that fail alone. Returns how many were credited.
 */
async function creditOrIsolate(
  tx: Tx,
  settle: SettlePayments,
  payments: readonly ConfirmedPayment[],
  now: Date,
  failures: Failure[],
): Promise<number> {
  const [first] = payments
  if (first === undefined) return 0
  await sql`savepoint credit`.execute(tx)
  try {
    await creditAll(tx, settle, payments, now)
    await sql`release savepoint credit`.execute(tx)
    return payments.length
  } catch (error) {
    if (hitsEveryone(error)) throw error
    // Without a connection this statement fails too, and its error is thrown.
    await sql`rollback to savepoint credit`.execute(tx)
    await sql`release savepoint credit`.execute(tx)
    if (payments.length === 1) {
      failures.push(await setAside(tx, first, reasonOf(error), now))
      return 0
    }
    const half = payments.length >> 1
    const before = await creditOrIsolate(tx, settle, payments.slice(0, half), now, failures)
    return before + (await creditOrIsolate(tx, settle, payments.slice(half), now, failures))
  }
}

async function creditAll(
  tx: Tx,
  settle: SettlePayments,
  payments: readonly ConfirmedPayment[],
  now: Date,
): Promise<void> {
  const dispositions = await settle(tx, payments, now)
  const byEvent = new Map(dispositions.map((disposition) => [disposition.eventId, disposition]))
  assert(
    dispositions.length === payments.length && byEvent.size === payments.length,
    `${payments.length} payments were settled with ${dispositions.length} dispositions`,
  )
  const ordered = payments.map((payment) => {
    const disposition = must(byEvent.get(payment.eventId), `payment ${payment.txHash} was not settled`)
    checkIds(payment, disposition)
    return disposition
  })
  const waiting = ordered.filter(({ waitsFor }) => waitsFor !== undefined)
  const alongside = ordered.flatMap((disposition) => disposition.alongside ?? [])
  const own = ordered.flatMap((disposition) => disposition.postings)
  const postings = [...alongside, ...own, ...ordered.flatMap((disposition) => disposition.afterwards ?? [])]
  const outcomes = await postBatch(tx, postings)
  for (const [index, { outcome }] of outcomes.entries()) {
    // 'already': our records were lost and read again. The ledger has the posting, so only the event is marked.
    const isOwn = index >= alongside.length && index < alongside.length + own.length
    const posted = outcome === 'posted' || (outcome === 'already' && isOwn)
    assert(posted, `posting ${postings[index]?.id} (${postings[index]?.kind}): ${outcome}`)
  }
  await sql`
    update chain_event set waits_for = w.day
    from unnest(${waiting.map(({ eventId }) => eventId)}::bigint[], ${waiting.map(({ waitsFor }) => waitsFor)}::date[]) as w (id, day)
    where chain_event.id = w.id`.execute(tx)
  const credited = ordered.filter(({ waitsFor, isBooked }) => waitsFor === undefined || isBooked === true)
  await sql`
    update chain_event set state = 'credited', outcome = done.outcome, credited_at = ${now},
      failures = 0, last_failure = null, retry_at = null
    from unnest(${credited.map(({ eventId }) => eventId)}::bigint[], ${credited.map(({ outcome }) => outcome)}::text[])
      as done (id, outcome)
    where chain_event.id = done.id`.execute(tx)
}

/** Under another id the same payment could be posted twice. */
function checkIds(payment: ConfirmedPayment, { postings, waitsFor }: Disposition): void {
  if (waitsFor !== undefined) {
    assert(postings.length === 0, `payment ${payment.txHash} is booked with others and by itself`)
    return
  }
  assert(postings.length > 0, `payment ${payment.txHash} was settled without a posting`)
  for (const [nth, { id }] of postings.entries()) {
    const expected =
      payment.action === 'paid' ? payoutPostingId(payment.reference, nth) : paymentPostingId(payment, nth)
    assert(id === expected, `posting ${nth} of payment ${payment.txHash} has the wrong id ${id}`)
  }
}

/** Waits a minute after the first failure, twice as long after each more, an hour at most. */
async function setAside(tx: Tx, payment: ConfirmedPayment, reason: string, now: Date): Promise<Failure> {
  const before = await tx
    .selectFrom('chain_event')
    .select(['failures', 'last_failure'])
    .where('id', '=', payment.eventId)
    .executeTakeFirstOrThrow()
  const wait_ms = Math.min(HOUR_MS, MINUTE_MS * 2 ** Math.min(before.failures, 6))
  await tx
    .updateTable('chain_event')
    .set({ failures: before.failures + 1, last_failure: reason, retry_at: new Date(now.getTime() + wait_ms) })
    .where('id', '=', payment.eventId)
    .execute()
  return { payment, reason, isNew: reason !== before.last_failure }
}

/**
 * True for failures of the database and not of one payment: a wanted repetition, no resources, a shutdown, no
 * connection. Not for a statement that was cancelled for taking too long (57014), which one payment may cause.
 */
function hitsEveryone(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && state !== '57014' && /^(?:08|40|53|57)/.test(state)
}

/** The time of the followed chain, for what is booked with others. */
export type Followed = { at: Date }

/**
 * The time of the last followed block, with the cursor locked as for crediting; null while crediting is halted or nothing is followed.
 */
export async function lockFollowed(tx: Tx): Promise<Followed | null> {
  const cursor = await tx
    .selectFrom('chain_cursor')
    .select(['followed', 'halted_reason'])
    .forUpdate()
    .executeTakeFirst()
  if (cursor?.halted_reason !== null) return null
  const block = await tx.selectFrom('chain_block').select('at').where('number', '=', cursor.followed).executeTakeFirst()
  return block ?? null
}

/** Marks payments as credited that a sum has booked, in its transaction. */
export async function markBooked(
  tx: Tx,
  { ids, outcome, now }: { ids: readonly bigint[]; outcome: 'balance' | 'suspense'; now: Date },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('chain_event')
    .set({ state: 'credited', outcome, credited_at: now })
    .where('id', '=', anyOf(ids))
    .where('state', '=', 'recorded')
    .where('waits_for', 'is not', null)
    .executeTakeFirstOrThrow()
  assert(numUpdatedRows === BigInt(ids.length), `${ids.length} payments are booked and ${numUpdatedRows} waited for it`)
}
