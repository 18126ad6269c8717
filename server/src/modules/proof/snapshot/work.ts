import { availableParallelism } from 'node:os'
import { sql } from 'kysely'
import { Tinypool } from 'tinypool'
import { z } from 'zod'
import { type Database, letWait, transaction, type Tx } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'
import { must } from '../../../kernel/assert.ts'
import { type HashedPieces, hashPieces, type HashTask } from '../tree/hash-pieces.ts'
import { type OrderedLeaves, orderLeaves, type OrderTask } from './order-leaves.ts'
import type { ListAddresses } from './read-members.ts'
import { type RangeLeaves, readRange, type RangeTask } from './read-range.ts'

/** Where a thread begins, and the database that it opens for itself. */
export type ThreadStart = { filename: string; databaseUrl: string }

/** The task of a thread, to read in the snapshot of another transaction. */
export type SharedRange = RangeTask & { databaseUrl: string; exportedSnapshot: string }

/** The long parts of a snapshot's work, done in this thread or in others. */
export type Work = {
  /** Reads in the snapshot of a transaction, which has to stay open meanwhile. */
  readerIn: (tx: Tx) => Promise<(task: RangeTask) => Promise<RangeLeaves>>
  orderLeaves: (task: OrderTask) => Promise<OrderedLeaves>
  hashPieces: (task: HashTask) => Promise<HashedPieces>
  end: () => Promise<void>
}

/** For a few members: threads would take longer to start. */
export const workHere = (listAddresses: ListAddresses): Work => ({
  async readerIn(tx) {
    // One after the other, because they have one connection; none after one that failed, whose transaction has ended.
    let last: Promise<unknown> = Promise.resolve()
    return (task) => {
      const range = last.then(() => readRange(tx, listAddresses, task))
      last = range
      return range
    }
  },
  orderLeaves: async (task) => orderLeaves(task),
  hashPieces: async (task) => hashPieces(task),
  end: () => Promise.resolve(),
})

/** Reads a range in the snapshot of another transaction, which stays open meanwhile. */
export const readShared = (
  db: Database,
  listAddresses: ListAddresses,
  { task, exportedSnapshot, page }: { task: RangeTask; exportedSnapshot: string; page: number },
): Promise<RangeLeaves> =>
  transaction(
    db,
    async (tx) => {
      await sql`set transaction snapshot ${sql.lit(exportedSnapshot)}`.execute(tx)
      await letWait(tx)
      return readRange(tx, listAddresses, task, page)
    },
    { isolation: 'repeatable read' },
  )

const exportedRow = z.object({ exported: z.string() })

/** Threads, as many as processors, with a low priority, so that calls go first. Where that cannot be set, one less. */
export function workInThreads({ filename, databaseUrl }: ThreadStart): Work {
  const processors = availableParallelism()
  const count = process.platform === 'linux' ? processors : Math.max(1, processors - 1)
  // Waiting with atomics would block the thread that answers calls; so would copying what goes to threads.
  const threads = new Tinypool({ filename, minThreads: count, maxThreads: count, useAtomics: false })
  return {
    async readerIn(tx) {
      const rows = await queryRows(tx, exportedRow, sql`select pg_export_snapshot() as exported`)
      const { exported: exportedSnapshot } = must(rows[0], 'a function answers')
      return (task) =>
        threads.run({ ...task, databaseUrl, exportedSnapshot } satisfies SharedRange, { name: 'readRange' })
    },
    orderLeaves: (task) =>
      threads.run(task, { name: 'orderLeaves', transferList: task.leaves.map(({ buffer }) => buffer) }),
    hashPieces: (task) => threads.run(task, { name: 'hashPieces', transferList: [task.nodes.buffer] }),
    end: () => threads.destroy(),
  }
}
