// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'

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
    /** There was more than one look takes: a worker goes on. */
    is_partial: Generated<boolean>
    /** What is not gathered yet and not above this posting was marked as read at read_at, all at once. */
    read_to: bigint | null
    read_at: Date | null
    /** The newest posting that a call has made into a notice; a worker comes to those between. */
    newest: Generated<bigint>
  }
  /** Up to which of its notices, by their ids, a member has marked everything as read, and when. */
  notice_reader: {
    member_id: bigint
    read_to: bigint
    read_at: Date
  }
}
