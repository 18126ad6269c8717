import type { RpcLog } from 'viem'
import { RpcError } from '../client.ts'
import { type AssetsByAddress, decodePayments } from './decode.ts'
import type { BlockHeader, ChainReader } from './read-chain.ts'
import type { FollowedBlocks } from './reconcile-block.ts'
import { type RecordedPayment, recordedAt } from './record-blocks.ts'

/** The payments of many blocks that are far below the head. */
export type HistoricalRange = {
  /** What the node has at the number of our tip; null when we have no tip yet. */
  ours: BlockHeader | null
  /** The last block of the range. */
  last: BlockHeader
  payments: RecordedPayment[]
}

type FetchDeps = { reader: ChainReader; gateway: string; assets: AssetsByAddress }

/**
 * Fetches blocks `from` to `to` in one go. The node must have the last one, and each block with payments must have the
 * hash that its payments name.
 * @throws RpcError, UnreadablePayment
 */
export async function fetchHistoricalRange(
  deps: FetchDeps,
  tip: FollowedBlocks['tip'],
  from: bigint,
  to: bigint,
): Promise<HistoricalRange> {
  // One batch, so that one node answers: a node without the last block cannot pass "no payments" off as the truth.
  const [logs, [last, ours]] = await Promise.all([
    deps.reader.paymentsIn(from, to),
    deps.reader.headers(tip === null ? [to] : [to, tip.number]),
  ])
  if (!last || ours === null) throw new RpcError('badAnswer', `block ${to}: the node lacks blocks below its head`)
  return { ours: ours ?? null, last, payments: await withCheckedBlocks(deps, logs, last) }
}

/** Decodes logs of many blocks, and takes each one's time from its block, which must have the hash that the log names. */
async function withCheckedBlocks(deps: FetchDeps, logs: RpcLog[], last: BlockHeader): Promise<RecordedPayment[]> {
  const payments = decodePayments(logs, deps.gateway, deps.assets)
  const numbers = [...new Set(payments.map(({ blockNumber }) => blockNumber))].filter(
    (number) => number !== last.number,
  )
  const headers = await deps.reader.headers(numbers)
  const byNumber = new Map([...headers, last].map((header) => [header?.number, header]))
  return payments.map((payment) => {
    const header = byNumber.get(payment.blockNumber)
    if (header?.hash !== payment.blockHash) {
      throw new RpcError('badAnswer', `payments of block ${payment.blockNumber}: logs of another block`)
    }
    return recordedAt(payment, header.at)
  })
}
