import { DAY_MS, MINUTE_MS } from '@candela/protocol/units'
import { CompiledQuery, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import { must } from '../../kernel/assert.ts'
import { createBatcher } from '../../kernel/batcher.ts'
import { hashToken, SESSION_MS } from './log-in/log-in.ts'

/** A session in use is prolonged at most this often, so that reading does not mean writing. */
const PROLONG_EVERY_MS = 5 * MINUTE_MS
/** However much it is used, a session ends this long after signing in: a stolen token is not good for ever. */
const MAX_SESSION_MS = 30 * DAY_MS

export type FoundSession = {
  memberId: bigint
  sessionId: string
  /** Where the primary's log ended when the session was found, in bytes; undefined on a standby. */
  walPosition: bigint | undefined
}
type Asked = { token: string; now: Date }

/**
 * The live session of a token, or null. Seeing it prolongs it to seven days from now, at most every five minutes and
 * never beyond thirty days from signing in.
 */
export async function findSession(db: Database, token: string, now: Date): Promise<FoundSession | null> {
  const [found = null] = await findSessions(db, [{ token, now }])
  return found
}

/** As `findSession`; tokens that arrive together are looked up by one statement, as every call begins with this. */
export function sessionFinder(db: Database): (token: string, now: Date) => Promise<FoundSession | null> {
  const find = createBatcher((asked: readonly Asked[]) => findSessions(db, asked), { maxBatch: 100 })
  return (token, now) => find({ token, now })
}

// Built once: every call of the API runs this statement, and building it would cost as much as running it.
const FIND = `
  select asked.place, s.id, s.member_id, s.seen_at,
    case when not pg_is_in_recovery() then pg_current_wal_insert_lsn() - '0/0'::pg_lsn end as wal_position
  from unnest($1::text[], $2::timestamptz[]) with ordinality as asked(token_hash, now, place)
  join session s on s.token_hash = decode(asked.token_hash, 'hex')
  where s.ended_at is null and s.expires_at > asked.now`

const foundRow = z.object({
  place: z.bigint(),
  id: z.string(),
  member_id: z.bigint(),
  seen_at: z.date(),
  wal_position: z.bigint().nullable(),
})

async function findSessions(db: Database, asked: readonly Asked[]): Promise<(FoundSession | null)[]> {
  const hashes = asked.map(({ token }) => hashToken(token).toString('hex'))
  const times = asked.map(({ now }) => now.toISOString())
  const rows = await queryRows(db, foundRow, {
    execute: () => db.executeQuery<unknown>(CompiledQuery.raw(FIND, [hashes, times])),
  })
  const found: (FoundSession | null)[] = asked.map(() => null)
  for (const { place, id, member_id, seen_at, wal_position } of rows) {
    const at = Number(place) - 1
    const { token, now } = must(asked[at], 'a row for each place')
    if (seen_at.getTime() <= now.getTime() - PROLONG_EVERY_MS) await prolong(db, hashToken(token), now)
    found[at] = { memberId: member_id, sessionId: id, walPosition: wal_position ?? undefined }
  }
  return found
}

async function prolong(db: Database, tokenHash: Buffer, now: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({
      seen_at: now,
      expires_at: sql<Date>`least(${new Date(now.getTime() + SESSION_MS)}::timestamptz,
        created_at + ${MAX_SESSION_MS / 1_000} * interval '1 second')`,
    })
    .where('token_hash', '=', tokenHash)
    // The first of several calls at once writes, and a session that was ended meanwhile stays ended.
    .where('seen_at', '<=', new Date(now.getTime() - PROLONG_EVERY_MS))
    .where('ended_at', 'is', null)
    .execute()
}
