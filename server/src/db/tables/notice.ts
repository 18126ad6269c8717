import type { GeneratedAlways } from 'kysely'

/** What members are told, and how far the ledger is gathered for it. */
export type NoticeTables = {
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
  notice_gathered: { account: bigint; posting: bigint }
}
