import { anyOf } from '../../db/any-of.ts'
import type { Tx } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import type { AssetsByAddress } from './read/decode.ts'
import { fetchHistoricalRange } from './read/historical-range.ts'
import type { ChainReader } from './read/read-chain.ts'
import { insertPayments, type RecordedPayment } from './record-blocks.ts'

/** Blocks that the node is asked for at a time. */
const CHUNK = 1_000n

export type BlockNumbers = { from: bigint; to: bigint }

/**
 * Asks the node again for the payments of blocks, each block checked against the hash that its payments name.
 * @throws RpcError, UnreadablePayment
 */
export async function readPaymentsAgain(
  deps: { reader: ChainReader; gateway: string; assets: AssetsByAddress },
  { from, to }: BlockNumbers,
): Promise<RecordedPayment[]> {
  const payments: RecordedPayment[] = []
  for (let first = from; first <= to; first += CHUNK) {
    const last = first + CHUNK - 1n < to ? first + CHUNK - 1n : to
    payments.push(...(await fetchHistoricalRange(deps, null, first, last)).payments)
  }
  return payments
}

export type Rescan =
  | {
      result: 'done'
      /** Recorded by this call. The service credits those that its own nodes have. */
      missed: RecordedPayment[]
      known: number
      /** Recorded before in these blocks, while the node names others now. Nothing was changed. */
      notOnChain: string[]
    }
  /** Nothing was done: blocks before the first or above `last` are not recorded yet. */
  | { result: 'outside'; first: bigint; last: bigint }

/**
 * Records those of the payments that are not recorded, and changes nothing else; a repetition records nothing new.
 * @param depth confirmations of the largest payments; what is less deep may still change
 * @throws AssertionFailed when a payment is recorded in another block
 */
export async function recordMissed(
  tx: Tx,
  { from, to }: BlockNumbers,
  payments: readonly RecordedPayment[],
  depth: number,
): Promise<Rescan> {
  // The follower waits meanwhile, so that no payment is recorded by both.
  const cursor = must(
    await tx.selectFrom('chain_cursor').selectAll().forUpdate().executeTakeFirst(),
    'the chain has no cursor yet',
  )
  const last = cursor.followed - BigInt(depth)
  if (from < cursor.start_block || to > last) return { result: 'outside', first: cursor.start_block, last }
  const rows = await tx
    .selectFrom('chain_event')
    .select(['tx_hash', 'tx_position'])
    .where('orphaned_at', 'is', null)
    .where('block_number', '>=', from)
    .where('block_number', '<=', to)
    .execute()
  const recorded = new Set(rows.map(({ tx_hash, tx_position }) => `${tx_hash}/${tx_position}`))
  const onChain = new Set(payments.map(({ txHash, txPosition }) => `${txHash}/${txPosition}`))
  const missed = payments.filter(({ txHash, txPosition }) => !recorded.has(`${txHash}/${txPosition}`))
  // These blocks are deeper than any payment waits for, so what a payment is worth makes no difference.
  const confirmations = { normal: depth, large: depth, largeAbove: 0n }
  await insertPayments(tx, missed, { confirmations, valueInUsdt: () => null })
  // The operator's node may be any: the server asks its own before they count.
  await tx
    .updateTable('chain_event')
    .set({ is_rescanned: true })
    .where('tx_hash', '=', anyOf(missed.map(({ txHash }) => txHash)))
    .where('state', '=', 'recorded')
    .where('block_number', '>=', from)
    .where('block_number', '<=', to)
    .execute()
  const notOnChain = rows.filter(({ tx_hash, tx_position }) => !onChain.has(`${tx_hash}/${tx_position}`))
  return {
    result: 'done',
    missed,
    known: payments.length - missed.length,
    notOnChain: notOnChain.map(({ tx_hash }) => tx_hash),
  }
}
