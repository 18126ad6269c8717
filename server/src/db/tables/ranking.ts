// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'

export type RankingTables = {
  /** Purchases for ever, of members and of those below them. USDT base units. */
  performance: {
    member_id: bigint
    own: Generated<bigint>
    /** Everybody below, at any depth. */
    team: Generated<bigint>
    /** The largest among the direct invitees' own and team together. */
    largest: Generated<bigint>
    score: GeneratedAlways<bigint>
    bucket: GeneratedAlways<number>
  }
  /** Members in each group of each board. */
  performance_count: {
    /** "all" or a day. */
    board: string
    bucket: number
    members: bigint
  }
  /** Purchases of one day. USDT base units. */
  performance_day: {
    /** A UTC day, "2026-11-21". */
    day: string
    member_id: bigint
    own: Generated<bigint>
    direct: Generated<bigint>
    score: GeneratedAlways<bigint>
    bucket: GeneratedAlways<number>
  }
  /** Purchases that the ranking has not counted yet. USDT base units. */
  performance_due: {
    order_id: bigint
    member_id: bigint
    amount: bigint
    at: Date
  }
  /** What a member's team has gained, while neither its figures nor those above have it. USDT base units. */
  performance_rising: {
    member_id: bigint
    amount: bigint
    /** The largest branch that it came from, the gain included. */
    largest: bigint
  }
}
