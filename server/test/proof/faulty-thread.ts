/** A thread of a snapshot that changes one leaf's sum after it was counted, as broken memory would. */
import { HASH_BYTES } from '../../src/modules/proof/tree/hash-pieces.ts'
import {
  type OrderedLeaves,
  orderLeaves as order,
  type OrderTask,
} from '../../src/modules/proof/snapshot/order-leaves.ts'

export { hashPieces, readRange } from '../../src/jobs/snapshot-thread.ts'

export function orderLeaves(task: OrderTask): OrderedLeaves {
  const ordered = order(task)
  const lastByteOfUsdt = HASH_BYTES + 15
  ordered.nodes.set([(ordered.nodes[lastByteOfUsdt] ?? 0) ^ 1], lastByteOfUsdt)
  return ordered
}
