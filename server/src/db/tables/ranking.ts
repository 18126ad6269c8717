import type { Generated, GeneratedAlways } from 'kysely'

/** Purchases folded into figures for the ranking lists. USDT base units. */
export type RankingTables = {
  performance_due: { order_id: bigint; member_id: bigint; amount: bigint; at: Date }
  performance: {
    member_id: bigint
    own: Generated<bigint>
    team: Generated<bigint>
    largest: Generated<bigint>
    score: GeneratedAlways<bigint>
    bucket: GeneratedAlways<number>
  }
  performance_day: {
    /** A UTC day, "2026-11-21". */
    day: string
    member_id: bigint
    own: Generated<bigint>
    direct: Generated<bigint>
    score: GeneratedAlways<bigint>
    bucket: GeneratedAlways<number>
  }
  performance_count: { board: string; bucket: number; members: bigint }
}
