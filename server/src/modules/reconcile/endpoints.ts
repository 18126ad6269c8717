import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { createDayReader } from './get-day.ts'
import { createSolvency } from './get-solvency.ts'

export function solvencyHandlers({ db }: { db: Database }): Handlers<'GET solvency/now' | 'GET solvency/day'> {
  const solvency = createSolvency(db)
  const readDay = createDayReader(db)
  return {
    'GET solvency/now': (_input, { now }) => solvency(now),
    'GET solvency/day': ({ day }, { now }) => readDay(day, now),
  }
}
