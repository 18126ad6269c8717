import { Tinypool } from 'tinypool'
import { type Database, openDatabase } from '../db/open.ts'
import { silentLog } from '../kernel/log.ts'
import { lowerPriority } from '../kernel/threads.ts'
import { listAddresses } from '../modules/member/list-addresses.ts'
import { orderLeaves as order, type OrderTask } from '../modules/proof/snapshot/order-leaves.ts'
import type { RangeLeaves } from '../modules/proof/snapshot/read-range.ts'
import { readShared, type SharedRange } from '../modules/proof/snapshot/work.ts'

/** The threads of a snapshot run at a lower priority: calls are answered before them. */

lowerPriority()

/** Members at a time: nobody is answered by this thread. */
const PAGE = 1_000

let opened: Database | undefined

/** Reads members and hashes their leaves, in the snapshot of a transaction that stays open meanwhile. */
export function readRange({ databaseUrl, exportedSnapshot, ...task }: SharedRange): Promise<RangeLeaves> {
  opened ??= openDatabase({ url: databaseUrl, log: silentLog(), poolSize: 1 })
  return readShared(opened, listAddresses, { task, exportedSnapshot, page: PAGE })
}

/** Its memory is handed over: a copy of so much would keep the thread that answers calls busy. */
export function orderLeaves(task: OrderTask): unknown {
  const ordered = order(task)
  const { nodes, keys } = ordered
  const handedOver = { [Tinypool.transferableSymbol]: [nodes.buffer, keys.buffer], [Tinypool.valueSymbol]: ordered }
  return Tinypool.move(handedOver as unknown as Parameters<typeof Tinypool.move>[0])
}

export { hashPieces } from '../modules/proof/tree/hash-pieces.ts'
