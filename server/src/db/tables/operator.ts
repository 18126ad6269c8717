// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { GeneratedAlways } from 'kysely'

export type OperatorTables = {
  /** Each operator command that changed something. */
  operator_audit: {
    id: GeneratedAlways<bigint>
    operator: string
    command: string
    input: unknown
    at: Date
  }
}
