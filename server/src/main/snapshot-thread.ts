import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'
import { sql } from 'kysely'
import { type Database, openDatabase, transaction } from '../db/open.ts'
import { silentLog } from '../kernel/log.ts'
import { listAddresses } from '../modules/member/list-addresses.ts'
import { readRange as readMembers, type RangeLeaves } from '../modules/proof/snapshot/read-range.ts'
import type { SharedRange } from '../modules/proof/snapshot/work.ts'

/** What the threads of a snapshot run: calls are answered before them. */

// On Linux each thread has a number and a priority of its own.
if (process.platform === 'linux')
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL)

/** Members at a time: nobody is answered by this thread. */
const PAGE = 1_000

let opened: Database | undefined

/** Reads members and hashes their leaves, in the snapshot of a transaction that stays open meanwhile. */
export function readRange({ databaseUrl, snapshot, ...task }: SharedRange): Promise<RangeLeaves> {
  opened ??= openDatabase({ url: databaseUrl, log: silentLog(), poolSize: 1 })
  return transaction(
    opened,
    async (tx) => {
      await sql`set transaction snapshot ${sql.lit(snapshot)}`.execute(tx)
      return readMembers(tx, listAddresses, task, PAGE)
    },
    { isolation: 'repeatable read' },
  )
}

export { orderLeaves } from '../modules/proof/snapshot/order-leaves.ts'
export { hashPieces } from '../modules/proof/tree/hash-pieces.ts'
