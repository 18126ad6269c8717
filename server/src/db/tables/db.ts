// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated } from 'kysely'

export type DbTables = {
  /** The first answer for each request id of a member. */
  request_log: {
    member_id: bigint
    request_id: string
    endpoint: string
    input_hash: Buffer
    result: unknown
    created_at: Date
  }
  schema_migration: {
    number: number
    name: string
    hash: string
    applied_at: Generated<Date>
  }
}
