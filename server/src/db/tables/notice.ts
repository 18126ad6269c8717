// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'

export type NoticeTables = {
  /** What members are told. */
  notice: {
    /** In the order in which they were written. */
    id: GeneratedAlways<bigint>
    /** Who is told. */
    member_id: bigint
    /** What kind of thing happened. */
    kind: string
    /** As the endpoint table has them for this kind. */
    params: unknown
    /** What it tells of; unique for each member. */
    source: string
    /** When it happened: of a posting the time that it tells, of a payment the time of its block. */
    at: Date
    /** When the member marked it as read; null while it is unread. */
    read_at: Date | null
  }
  /** How far the entries of a ledger account are made into notices. */
  notice_gathered: {
    /** Number of a ledger account of a member. */
    account: bigint
    /** Entries up to this posting (ledger_posting.seq) were looked at. */
    posting: bigint
    /** There was more than one look takes: a worker goes on. */
    is_partial: Generated<boolean>
    /** What is not gathered yet and not above this posting was marked as read at read_at, all at once. */
    read_to: bigint | null
    /** When the member marked them as read. */
    read_at: Date | null
    /** The newest posting that a call has made into a notice; a worker comes to those between. */
    newest: Generated<bigint>
  }
  /** Up to which of its notices, by their ids, a member has marked everything as read, and when. */
  notice_reader: {
    /** The member who read. */
    member_id: bigint
    /** notice.id of the newest one that was marked. */
    read_to: bigint
    /** When the member marked them, by our clock. */
    read_at: Date
  }
}
