import { addDays, startOfDay } from '@candela/protocol/calendar'
import type { GaugeSource } from '../../api/metrics.ts'
import type { Database } from '../../db/open.ts'
import type { Clock } from '../../kernel/clock.ts'
import { readLastDay } from '../../modules/income/read-day.ts'

/** Whether days are closed in time, for Prometheus. */
export const incomeGauges = (db: Database, clock: Clock): GaugeSource[] => [
  {
    name: 'candela_close_age_seconds',
    help: 'Since the end of the last day that is closed; nothing before the first close.',
    async read() {
      const last = await readLastDay(db)
      if (last === null) return Number.NaN
      return Math.max(0, (clock.now().getTime() - startOfDay(addDays(last.day, 1)).getTime()) / 1000)
    },
  },
]
