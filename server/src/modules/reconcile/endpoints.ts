import type { Database } from '../../db/open.ts'
import type { Handlers } from '../../kernel/handler.ts'
import { createDayReader, type DaySources } from './get-day.ts'
import { createSolvency } from './get-solvency.ts'

type Deps = DaySources & { db: Database }

export function solvencyHandlers({ db, ...sources }: Deps): Handlers<'GET solvency/now' | 'GET solvency/day'> {
  const solvency = createSolvency(db)
  const readDay = createDayReader(db, sources)
  return {
    'GET solvency/now': (_input, { now }) => solvency(now),
    'GET solvency/day': ({ day }, { now }) => readDay(day, now),
  }
}
