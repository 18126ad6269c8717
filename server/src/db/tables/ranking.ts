// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'

export type RankingTables = {
  /** Purchases for ever, of members and of those below them. USDT base units. */
  performance: {
    /** Whose purchases and team it is. */
    member_id: bigint
    /** What the member bought. */
    own: Generated<bigint>
    /** Everybody below, at any depth. */
    team: Generated<bigint>
    /** The largest among the direct invitees' own and team together. */
    largest: Generated<bigint>
    /** team less largest: what the rank is of. */
    score: GeneratedAlways<bigint>
    /** Group of scores that the member is counted in: performance_bucket(score). */
    bucket: GeneratedAlways<number>
  }
  /** Members in each group of each board. */
  performance_count: {
    /** "all" or a day. */
    board: string
    /** Group of scores: performance_bucket(score). */
    bucket: number
    /** How many members of the board are in the group. */
    members: bigint
  }
  /** Purchases of one day. USDT base units. */
  performance_day: {
    /** A UTC day, "2026-11-21". */
    day: string
    /** Whose purchases and direct invitees it is. */
    member_id: bigint
    /** What the member bought on the day. */
    own: Generated<bigint>
    /** What its direct invitees bought on the day. */
    direct: Generated<bigint>
    /** own and direct together: what the rank is of. */
    score: GeneratedAlways<bigint>
    /** Group of scores that the member is counted in: performance_bucket(score). */
    bucket: GeneratedAlways<number>
  }
  /** Purchases that the ranking has not counted yet. USDT base units. */
  performance_due: {
    /** power_order.id of the purchase. */
    order_id: bigint
    /** Who bought. */
    member_id: bigint
    /** What the order cost. */
    amount: bigint
    /** When the purchase was confirmed; it counts on this UTC day. */
    at: Date
  }
  /** What a member's team has gained, while neither its figures nor those above have it. USDT base units. */
  performance_rising: {
    /** Whose team has gained. */
    member_id: bigint
    /** What the team has gained. */
    amount: bigint
    /** The largest branch that it came from, the gain included. */
    largest: bigint
    /** When the oldest purchase in it was confirmed. */
    since: Generated<Date>
  }
}
