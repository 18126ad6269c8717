// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated } from 'kysely'

export type DbTables = {
  /** How many commands that cost nothing a member has made on the last day on which it made one. */
  free_command: {
    /** The member that made them. */
    member_id: bigint
    /** The last UTC day on which the member made one. */
    day: string
    /** How many were made on that day. */
    made: number
  }
  /** Who does what only one server may do. The holder prolongs it; once it has expired, another may take it. */
  lease: {
    /** What is leased; today only the loops and periodic tasks together. */
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
    /** The member that made the call. */
    member_id: bigint
    /** The first answer; null while the work is under way. */
    result: unknown
    /** When the call came, by our clock. */
    created_at: Date
    /** First 128 bits of the SHA-256 of the request id. */
    request_key: string
    /** First 128 bits of the SHA-256 of the endpoint and of what it was asked to do; zero when the request was given up. */
    input_key: string
  }
  /** Which changes of the schema were applied. */
  schema_migration: {
    /** Number in the name of the file; they are applied in this order. */
    number: number
    /** Name of the file. */
    name: string
    /** SHA-256 of the text of the file. */
    hash: string
    /** Servers whose last migration is this one or a later one run beside it; null: none do. */
    works_from: number | null
    /** When it was applied, by the clock of the database. */
    applied_at: Generated<Date>
  }
}
