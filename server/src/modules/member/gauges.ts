import type { Database } from '../../db/open.ts'
import { gauge, type GaugeSource } from '../../kernel/gauge.ts'
import { countLeaving } from './count-members.ts'

/** No more are counted. */
const COUNT_LIMIT = 100_000

/** Whether a crowd of accounts is made, for Prometheus. */
export const memberGauges = (db: Database): GaugeSource[] => [
  gauge(
    'accounts_leaving',
    'Accounts that were made beyond the limits and go again unless 1 USDT is paid in; 100000 at most.',
    () => countLeaving(db, COUNT_LIMIT),
  ),
]
