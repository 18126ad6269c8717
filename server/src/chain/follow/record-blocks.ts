import { type Selectable, sql } from 'kysely'
import { arrayLiteral, quoteElement } from '../../db/array-literal.ts'
import { anyOf } from '../../db/any-of.ts'
import type { Database, Tx } from '../../db/open.ts'
import type { Tables } from '../../db/tables/index.ts'
import { assert, must } from '../../kernel/assert.ts'
import { confirmationsNeeded, type ConfirmationRule, type ValueInUsdt } from '../crediting/confirmations.ts'
import type { PaymentFacts } from './read/decode.ts'
import { RECORDED_GAP_MS } from './standstill.ts'
import type { BlockLink, FollowedBlocks } from './reconcile-block.ts'
import { revenueDayOf } from './revenue-day.ts'

/** A block with its own time. */
export type RecordedBlock = BlockLink & { at: Date }
/** A payment with the time of its block, and the day that it is revenue of. */
export type RecordedPayment = PaymentFacts & { blockAt: Date; revenueDay: string | null }

/** A payment in a block of this time. */
export const recordedAt = (payment: PaymentFacts, blockAt: Date): RecordedPayment => ({
  ...payment,
  blockAt,
  revenueDay: revenueDayOf(payment, blockAt),
})

/** How far the chain is followed, and the blocks close to that point. */
export type FollowedChain = FollowedBlocks & { head: bigint; haltedReason: string | null }

/** @throws when `startFollowing` never ran on this database */
export async function readFollowed(db: Database): Promise<FollowedChain> {
  const cursor = must(await db.selectFrom('chain_cursor').selectAll().executeTakeFirst(), 'the chain has no cursor yet')
  const blocks = await db
    .selectFrom('chain_block')
    .select(['number', 'hash'])
    .where('number', '<=', cursor.followed)
    .execute()
  const { followed, followed_hash: hash } = cursor
  return {
    tip: hash === null ? null : { number: followed, hash },
    start: cursor.start_block,
    hashes: new Map(blocks.map((block) => [block.number, block.hash])),
    head: cursor.head,
    haltedReason: cursor.halted_reason,
  }
}

/** One range of blocks that the follower found, to be written in one transaction. */
export type BlockRange = {
  /** The tip that the range follows. When another follower has moved it meanwhile, nothing is written. */
  from: FollowedBlocks['tip']
  /** Revert everything above this block first. */
  ancestor?: { number: bigint; block: RecordedBlock | null; unknown: boolean }
  /** Ascending; the last one becomes the tip. Historical ranges leave numbers out, but none beside a standstill. */
  blocks: readonly RecordedBlock[]
  /** All payments in the numbers that the range covers. */
  payments: readonly RecordedPayment[]
  /** The payments as array literals, if they were made in advance. */
  columns?: PaymentColumns
  /** `at`: the block's own time; `seenAt`: when it was asked for, by our clock. */
  head: { number: bigint; at: Date; seenAt: Date }
}

export type RecordRules = {
  confirmations: ConfirmationRule
  valueInUsdt: ValueInUsdt
  /** Blocks more than this many below the tip are deleted. */
  keepBlocks: bigint
}

export type Recorded = {
  /** False when another follower was faster; then nothing was written. */
  written: boolean
  /** Payments that were waiting to be credited and are off the chain. */
  reverted: number
  /** Payments that were credited and are off the chain. */
  orphaned: number
  /** Why crediting stopped in this range; null when it did not. */
  halted: string | null
}

/** Writes payments, blocks and cursor of one range. */
export async function recordRange(tx: Tx, range: BlockRange, rules: RecordRules, now: Date): Promise<Recorded> {
  const cursor = must(
    await tx.selectFrom('chain_cursor').selectAll().forUpdate().executeTakeFirst(),
    'the chain has no cursor yet',
  )
  const moved = cursor.followed_hash !== (range.from?.hash ?? null)
  const nothing: Recorded = { written: false, reverted: 0, orphaned: 0, halted: null }
  if (moved) return nothing
  const removed = range.ancestor === undefined ? nothing : await revertTo(tx, range.ancestor, cursor.followed, now)
  await insertPayments(tx, range.payments, rules, range.columns)
  await insertBlocks(tx, range.blocks)
  const reached = range.blocks.at(-1) ?? range.ancestor?.block ?? null
  const followed = reached?.number ?? range.ancestor?.number ?? cursor.followed
  await tx
    .updateTable('chain_cursor')
    .set({
      followed,
      followed_hash: reached?.hash ?? (range.ancestor === undefined ? cursor.followed_hash : null),
      head: range.head.number,
      head_at: range.head.at,
      head_seen_at: range.head.seenAt,
      halted_reason: cursor.halted_reason ?? removed.halted,
    })
    .execute()
  await tx
    .deleteFrom('chain_block')
    .where('number', '<', followed - rules.keepBlocks)
    .execute()
  return { ...removed, written: true }
}

/** Reverts everything above the ancestor. Credited payments stay, marked as orphaned, and halt crediting. */
async function revertTo(
  tx: Tx,
  ancestor: { number: bigint; block: RecordedBlock | null; unknown: boolean },
  followed: bigint,
  now: Date,
): Promise<Recorded> {
  const above = ancestor.number
  await tx.deleteFrom('chain_block').where('number', '>', above).execute()
  await tx.deleteFrom('chain_standstill').where('block_number', '>', above).execute()
  if (ancestor.block !== null) await insertBlocks(tx, [ancestor.block])
  const deleted = await tx
    .deleteFrom('chain_event')
    .where('state', '=', 'recorded')
    .where('block_number', '>', above)
    .executeTakeFirst()
  const orphans = await tx
    .updateTable('chain_event')
    .set({ orphaned_at: now })
    .where('state', '=', 'credited')
    .where('orphaned_at', 'is', null)
    .where('block_number', '>', above)
    .returning('tx_hash')
    .execute()
  const what = `reorganisation from block ${followed} down to ${above}`
  const reasons = [
    ...(ancestor.unknown ? ['below every block that was kept'] : []),
    ...(orphans.length > 0
      ? [`${orphans.length} credited payments are off the chain, first ${orphans[0]?.tx_hash}`]
      : []),
  ]
  return {
    written: true,
    reverted: Number(deleted.numDeletedRows),
    orphaned: orphans.length,
    halted: reasons.length === 0 ? null : `${what}: ${reasons.join('; ')}`,
  }
}

async function insertBlocks(tx: Tx, blocks: readonly RecordedBlock[]): Promise<void> {
  const [first] = blocks
  if (first === undefined) return
  await sql`
    with written as (
    insert into chain_block (number, hash, parent_hash, at)
    select * from unnest(
      ${blocks.map(({ number }) => number)}::bigint[],
      ${blocks.map(({ hash }) => hash)}::text[],
      ${blocks.map(({ parentHash }) => parentHash)}::text[],
      ${blocks.map(({ at }) => at)}::timestamptz[]
    )
    on conflict (number) do update set hash = excluded.hash, parent_hash = excluded.parent_hash, at = excluded.at
    returning number, at
    ),
    known as (select number, at from written union all select number, at from chain_block where number = ${first.number - 1n})
    insert into chain_standstill (block_number, from_at, to_at)
    select block.number, parent.at, block.at from written block join known parent on parent.number = block.number - 1
    where block.at - parent.at >= ${RECORDED_GAP_MS} * interval '1 millisecond'
    on conflict (block_number) do update set from_at = excluded.from_at, to_at = excluded.to_at`.execute(tx)
}

export type PaymentColumns = Readonly<ReturnType<typeof paymentColumns>>

/**
 * One array literal for each column. Made while the range before is written, because it takes half as long as fetching the
 * payments.
 */
export function paymentColumns(payments: readonly RecordedPayment[]) {
  return {
    // Texts from a node or a payer are always quoted: they may contain any character.
    txHash: arrayLiteral(payments, ({ txHash }) => quoteElement(txHash)),
    logIndex: arrayLiteral(payments, ({ logIndex }) => logIndex),
    txPosition: arrayLiteral(payments, ({ txPosition }) => txPosition),
    blockNumber: arrayLiteral(payments, ({ blockNumber }) => blockNumber),
    blockHash: arrayLiteral(payments, ({ blockHash }) => quoteElement(blockHash)),
    blockAt: arrayLiteral(payments, ({ blockAt }) => blockAt.toISOString()),
    action: arrayLiteral(payments, ({ action }) => action),
    reference: arrayLiteral(payments, ({ reference }) => quoteElement(reference)),
    asset: arrayLiteral(payments, ({ asset }) => asset),
    amount: arrayLiteral(payments, ({ amount }) => amount),
    payer: arrayLiteral(payments, ({ payer }) => quoteElement(payer)),
    customer: arrayLiteral(payments, ({ customer }) => quoteElement(customer)),
    revenueDay: arrayLiteral(payments, ({ revenueDay }) => revenueDay),
  }
}

/** Records payments that are not recorded yet. @throws AssertionFailed when one is recorded in another block */
export async function insertPayments(
  tx: Tx,
  payments: readonly RecordedPayment[],
  rules: Pick<RecordRules, 'confirmations' | 'valueInUsdt'>,
  columns: PaymentColumns = paymentColumns(payments),
): Promise<void> {
  if (payments.length === 0) return
  const needed = arrayLiteral(payments, ({ asset, amount }) =>
    confirmationsNeeded(rules.confirmations, rules.valueInUsdt(asset, amount)),
  )
  const again = await bringBackOrphans(tx, payments)
  const result = await sql`
    insert into chain_event (tx_hash, log_index, tx_position, block_number, block_hash, block_at, action, reference,
      asset, amount, payer, customer, confirmations_needed, revenue_day)
    select * from unnest(${columns.txHash}::text[], ${columns.logIndex}::integer[], ${columns.txPosition}::integer[],
      ${columns.blockNumber}::bigint[], ${columns.blockHash}::text[], ${columns.blockAt}::timestamptz[],
      ${columns.action}::text[], ${columns.reference}::text[], ${columns.asset}::text[], ${columns.amount}::numeric[],
      ${columns.payer}::text[], ${columns.customer}::text[], ${needed}::integer[], ${columns.revenueDay}::date[])
    on conflict (tx_hash, tx_position) where orphaned_at is null do nothing`.execute(tx)
  if (result.numAffectedRows !== BigInt(payments.length)) await assertSame(tx, payments)
  for (const { txHash, txPosition, takenBack } of again) {
    await tx
      .updateTable('chain_event')
      .set({ taken_back: takenBack })
      .where('tx_hash', '=', txHash)
      .where('tx_position', '=', txPosition)
      .where('state', '=', 'recorded')
      .execute()
  }
}

/**
 * A credited payment that a reorganisation removed may come back in another block. With the same terms it is the same
 * payment, and its row is updated. With other terms, or when operators took it back meanwhile, it is another payment and gets a row of
 * its own.
 * @returns those that were taken back before, and how often
 */
async function bringBackOrphans(
  tx: Tx,
  payments: readonly RecordedPayment[],
): Promise<{ txHash: string; txPosition: number; takenBack: number }[]> {
  const again = new Map<string, { txHash: string; txPosition: number; takenBack: number }>()
  const orphans = await tx.selectFrom('chain_event').selectAll().where('orphaned_at', 'is not', null).execute()
  for (const orphan of orphans) {
    const payment = payments.find((candidate) => isSamePayment(candidate, orphan))
    if (payment === undefined) continue
    if (orphan.outcome === 'takenBack') {
      const { txHash, txPosition } = payment
      const before = again.get(`${txHash}/${txPosition}`)?.takenBack ?? 0
      again.set(`${txHash}/${txPosition}`, { txHash, txPosition, takenBack: before + 1 })
      continue
    }
    await tx
      .updateTable('chain_event')
      .set({
        block_number: payment.blockNumber,
        block_hash: payment.blockHash,
        block_at: payment.blockAt,
        log_index: payment.logIndex,
        orphaned_at: null,
      })
      .where('id', '=', orphan.id)
      .execute()
  }
  return [...again.values()]
}

const isSamePayment = (payment: RecordedPayment, row: Selectable<Tables['chain_event']>): boolean =>
  row.tx_hash === payment.txHash &&
  row.tx_position === payment.txPosition &&
  row.asset === payment.asset &&
  row.amount === payment.amount &&
  row.payer === payment.payer &&
  row.customer === payment.customer &&
  row.action === payment.action &&
  row.reference === payment.reference

/** Payments that are recorded already must be in the same block: a transaction cannot be in two blocks of one chain. */
async function assertSame(tx: Tx, payments: readonly RecordedPayment[]): Promise<void> {
  const rows = await tx
    .selectFrom('chain_event')
    .select(['tx_hash', 'tx_position', 'block_hash'])
    .where('orphaned_at', 'is', null)
    .where('tx_hash', '=', anyOf(payments.map(({ txHash }) => txHash)))
    .execute()
  const blockOf = new Map(rows.map((row) => [`${row.tx_hash}/${row.tx_position}`, row.block_hash]))
  for (const { txHash, txPosition, blockHash } of payments) {
    const recorded = blockOf.get(`${txHash}/${txPosition}`)
    assert(recorded === blockHash, `payment ${txPosition} of ${txHash} is in block ${blockHash} and in ${recorded}`)
  }
}
