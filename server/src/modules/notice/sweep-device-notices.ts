import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/open.ts'

/** How long it stays: a session lives for 30 days at most, and for 30 more somebody may ask what it was. */
const KEPT_MS = 60 * DAY_MS

/** Deletes at most `limit` notices of new devices whose sessions are long over. @returns how many */
export async function sweepDeviceNotices(tx: Tx, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from notice where id = any(array(
      select id from notice where kind = 'newDevice' and at < ${new Date(now.getTime() - KEPT_MS)}
      order by at limit ${limit}
    ))`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** How many notices of new devices there are; counted up to `most`. */
export async function countDeviceNotices(db: Database, most: number): Promise<number> {
  const notices = db.selectFrom('notice').select('id').where('kind', '=', 'newDevice').limit(most)
  const count = db.selectFrom(notices.as('notices')).select(({ fn }) => fn.countAll<bigint>().as('count'))
  return Number((await count.executeTakeFirstOrThrow()).count)
}
