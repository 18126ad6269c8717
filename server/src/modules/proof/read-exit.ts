import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'

/** How long a command goes on with what was read. */
const READ_EVERY_MS = 1_000

/** Whether the contract is in exit mode, as it was last seen. Asked by every money command, so it is read once a second. */
export function exitReader(db: Database, clock: Clock): () => Promise<boolean> {
  let known: Promise<boolean> | undefined
  let readAt_ms = -Infinity
  return () => {
    const now_ms = clock.now().getTime()
    // Also when the clock was set back.
    if (known === undefined || Math.abs(now_ms - readAt_ms) >= READ_EVERY_MS) {
      readAt_ms = now_ms
      const reading = isExited(db)
      known = reading
      // A failed question is asked again by the next command.
      reading.catch(() => (known = undefined))
    }
    return known
  }
}

async function isExited(db: Database): Promise<boolean> {
  return (await db.selectFrom('contract_exit').select('only_row').executeTakeFirst()) !== undefined
}
