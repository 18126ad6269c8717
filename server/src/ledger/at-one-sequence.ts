import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Database, sqlState, transaction, type Tx } from '../db/open.ts'
import { queryRows } from '../db/query-rows.ts'
import { must } from '../kernel/assert.ts'

/** Postings wait at most so long for a snapshot to begin. */
const MAX_WAIT_MS = 40
const ATTEMPTS = 200
const PAUSE_MS = 50

const sequenceRow = z.object({ sequence: z.bigint() })

/**
 * Reads the ledger as it was after one posting and before the next: every posting up to `sequence` is in the snapshot, and
 * none after it. Postings are numbered before they are committed, so an ordinary snapshot may lack one with a lower number than another
 * that it has. Therefore no posting is under way at the instant when the snapshot begins; that is waited for in
 * small steps, so that nobody waits longer for it than a few hundredths of a second.
 * @throws when postings have been under way all the time
 */
export function atOneSequence<T>(db: Database, read: (tx: Tx, sequence: bigint) => Promise<T>): Promise<T> {
  return transaction(
    db,
    async (snapshot) => {
      for (let attempt = 1; ; attempt += 1) {
        const sequence = await beginWithout(db, snapshot)
        if (sequence !== null) return read(snapshot, sequence)
        if (attempt === ATTEMPTS) throw new Error('postings have been under way all the time')
        await sleep(PAUSE_MS)
      }
    },
    { isolation: 'repeatable read' },
  )
}

/** Null while a posting is under way. The snapshot begins with its first statement, which runs while nobody can post. */
async function beginWithout(db: Database, snapshot: Tx): Promise<bigint | null> {
  try {
    return await transaction(
      db,
      async (guard) => {
        await sql`select set_config('lock_timeout', ${`${MAX_WAIT_MS}ms`}, true)`.execute(guard)
        await sql`select ledger_hold_postings()`.execute(guard)
        const rows = await queryRows(
          snapshot,
          sequenceRow,
          sql`select coalesce(max(seq), 0) as sequence from ledger_posting`,
        )
        return must(rows[0], 'an aggregate answers').sequence
      },
      { attempts: 1 },
    )
  } catch (error) {
    if (sqlState(error) === '55P03') return null
    throw error
  }
}
