// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { GeneratedAlways } from 'kysely'

export type NoticeTables = {
  /** What members are told. */
  notice: {
    id: GeneratedAlways<bigint>
    member_id: bigint
    kind: string
    /** As the endpoint table has them for this kind. */
    params: unknown
    /** What it tells of; unique for each member. */
    source: string
    at: Date
    read_at: Date | null
  }
  /** How far the entries of a ledger account are made into notices. */
  notice_gathered: {
    account: bigint
    posting: bigint
  }
}
