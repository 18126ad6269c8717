import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { listIncomes } from './list-incomes.ts'
import { readDay } from './read-day.ts'

export function incomeHandlers({ db }: { db: Database }): Handlers<'GET user/incomeList' | 'GET power/day'> {
  return {
    'GET user/incomeList': (input, { memberId, now }) => listIncomes(db, memberId, input, now),
    'GET power/day': ({ day }) => readDay(db, day),
  }
}
