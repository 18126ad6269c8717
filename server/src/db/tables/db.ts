// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated } from 'kysely'

export type DbTables = {
  /** How many commands that cost nothing a member has made on the last day on which it made one. */
  free_command: {
    member_id: bigint
    day: string
    made: number
  }
  /** Who does what only one server may do. The holder prolongs it; once it has expired, another may take it. */
  lease: {
    name: string
    /** Host and process, for people. The number decides. */
    holder: string
    /** One more at each taking: what was begun under a lower number is refused. */
    number: bigint
    /** By the clock of the database, and of no server. */
    expires_at: Date
  }
  /** Which request ids of a member were used or given up in the last 30 days, for what, and the first answer of each. */
  request_log: {
    member_id: bigint
    /** The first answer; null while the work is under way. */
    result: unknown
    created_at: Date
    /** First 128 bits of the SHA-256 of the request id. */
    request_key: string
    /** First 128 bits of the SHA-256 of the endpoint and of what it was asked to do; zero when the request was given up. */
    input_key: string
  }
  schema_migration: {
    number: number
    name: string
    hash: string
    works_from: number | null
    applied_at: Generated<Date>
  }
}
