import { addDays, startOfDay } from '@candela/protocol/calendar'
import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ageInSeconds, gauge, type GaugeSource } from '../../kernel/gauge.ts'
import { readLastDay } from './read-day.ts'

/** Whether days are closed in time, for Prometheus. */
export const incomeGauges = (db: Database, clock: Clock): GaugeSource[] => [
  gauge(
    'close_age_seconds',
    'Since the end of the last day that is closed; nothing before the first close.',
    async () => {
      const last = await readLastDay(db)
      return ageInSeconds(last === null ? null : startOfDay(addDays(last.day, 1)), clock.now())
    },
  ),
]
