import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../open.ts'
import { queryRows } from '../query-rows.ts'

/** A place in the write-ahead log of the primary, in bytes. */
export type WalPosition = bigint

const positionRow = z.object({ position: z.bigint().nullable() })

/**
 * The end of the primary's log: every transaction that anybody has seen by now, also one that did not wait for the disk, was
 * logged before it. Null on a standby.
 */
export async function readPrimaryPosition(db: Database): Promise<WalPosition | null> {
  const [row] = await queryRows(
    db,
    positionRow,
    sql`
    select case when not pg_is_in_recovery() then pg_current_wal_insert_lsn() - '0/0'::pg_lsn end as position`,
  )
  return row?.position ?? null
}

/**
 * How far this standby has come: later statements on the same connection see at least that. Null when it is not a standby: one
 * that was promoted goes on to name the place up to which it was one.
 */
export async function readStandbyPosition(db: Database): Promise<WalPosition | null> {
  const [row] = await queryRows(
    db,
    positionRow,
    sql`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() - '0/0'::pg_lsn end as position`,
  )
  return row?.position ?? null
}

const identityRow = z.object({ identity: z.string() })

/** The same for a primary and its standbys, and different for every other database. */
export async function readIdentity(db: Database): Promise<string> {
  const rows = await queryRows(
    db,
    identityRow,
    sql`
    select system_identifier || '/' || current_database() as identity from pg_control_system()`,
  )
  return rows[0]?.identity ?? ''
}
