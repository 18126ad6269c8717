import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { listIncomes } from './list-incomes.ts'
import { readDaily } from './read-daily.ts'
import { readDay } from './read-day.ts'

export function incomeHandlers({
  db,
}: {
  db: Database
}): Handlers<'GET user/incomeList' | 'GET user/incomeDaily' | 'GET power/day'> {
  return {
    'GET user/incomeList': (input, { memberId }) => listIncomes(db, memberId, input),
    'GET user/incomeDaily': ({ days }, { memberId, now }) => readDaily(db, memberId, days, now),
    'GET power/day': ({ day }) => readDay(db, day),
  }
}
