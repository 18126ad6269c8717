import type { RpcLog } from 'viem'
import { RpcError } from '../../ask.ts'
import { type AssetsByAddress, decodePayments } from './decode.ts'
import type { BlockHeader, ChainReader } from './read-chain.ts'
import { type FollowedBlocks, isLinked } from '../reconcile-block.ts'
import { type PaymentColumns, paymentColumns, type RecordedPayment, recordedAt } from '../record-blocks.ts'
import { isGap } from '../standstill.ts'

/** The payments of many blocks that are far below the head. */
export type HistoricalRange = {
  /** The node's block at the number of our tip; null when we have no tip yet. */
  ours: BlockHeader | null
  /** The last block of the range. */
  last: BlockHeader
  /** The blocks before and after each time in which the chain stood still, but for our tip and the last one. */
  aroundGaps: BlockHeader[]
  payments: RecordedPayment[]
  columns: PaymentColumns
}

type FetchDeps = { reader: ChainReader; gateway: string; assets: AssetsByAddress }

/**
 * Fetches blocks `from` to `to` in one go. The node must have all of them, each the child of the one before, and each block
 * with payments must have the hash that its payments name. A node may leave logs out of a range, so a block whose bloom
 * filter admits more than the range gave is asked for by itself.
 * @throws RpcError, UnreadablePayment
 */
export async function fetchHistoricalRange(
  deps: FetchDeps,
  tip: FollowedBlocks['tip'],
  from: bigint,
  to: bigint,
): Promise<HistoricalRange> {
  const below = Array.from({ length: Number(to - from) }, (_none, index) => from + BigInt(index))
  // Sent as one batch, so that one node answers all: a node without the last block cannot claim that it has no
  // payments.
  const [logs, [last, ours], others] = await Promise.all([
    deps.reader.paymentsIn(from, to),
    deps.reader.headers(tip === null ? [to] : [to, tip.number]),
    deps.reader.headers(below),
  ])
  if (!last || ours === null) throw new RpcError('badAnswer', `block ${to}: the node lacks blocks below its head`)
  const blocks = [...others, last].filter((header) => header !== null)
  if (blocks.length <= others.length || !isLinked(blocks)) {
    throw new RpcError('badAnswer', `blocks ${from} to ${to}: the chain changed while it was read`)
  }
  const omitted = await readOmitted(deps.reader, blocks, logs)
  const payments = placeInBlocks(deps, [...logs, ...omitted], blocks)
  const known = ours === undefined ? blocks : [ours, ...blocks]
  const aroundGaps = known.filter((block, index) => isGap(known[index - 1], block) || isGap(block, known[index + 1]))
  return {
    ours: ours ?? null,
    last,
    aroundGaps: aroundGaps.filter((block) => block !== ours && block !== last),
    payments,
    columns: paymentColumns(payments),
  }
}

/** The logs of every block for which the range may have left some out. */
async function readOmitted(reader: ChainReader, blocks: readonly BlockHeader[], logs: RpcLog[]): Promise<RpcLog[]> {
  const byNumber = Map.groupBy(logs, (log) => BigInt(log.blockNumber ?? -1))
  const unsure = blocks.filter((block) => !reader.hasAll(block, byNumber.get(block.number) ?? []))
  return (await Promise.all(unsure.map((block) => reader.paymentsOf(block)))).flat()
}

/** Decodes logs of many blocks. Each gets the time of its block, which must have the hash that the log names. */
function placeInBlocks(deps: FetchDeps, logs: RpcLog[], blocks: readonly BlockHeader[]): RecordedPayment[] {
  const byNumber = new Map(blocks.map((block) => [block.number, block]))
  return decodePayments(logs, deps.gateway, deps.assets).map((payment) => {
    const block = byNumber.get(payment.blockNumber)
    if (block?.hash !== payment.blockHash) {
      throw new RpcError('badAnswer', `payments of block ${payment.blockNumber}: logs of another block`)
    }
    return recordedAt(payment, block.at)
  })
}
