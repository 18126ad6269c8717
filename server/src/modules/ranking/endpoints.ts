import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { readTeamRank, readTodayRank } from './read-rank.ts'

export function rankingHandlers({
  db,
}: {
  db: Database
}): Handlers<'GET user/todayPerformanceRank' | 'GET user/minPerformanceRank'> {
  return {
    'GET user/todayPerformanceRank': (_input, { memberId, now }) => readTodayRank(db, memberId, now),
    'GET user/minPerformanceRank': (_input, { memberId, now }) => readTeamRank(db, memberId, now),
  }
}
