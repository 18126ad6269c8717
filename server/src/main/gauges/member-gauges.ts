import type { GaugeSource } from '../../api/metrics.ts'
import type { Database } from '../../db/open.ts'
import { countLeaving } from '../../modules/member/count-members.ts'

/** Whether a crowd of accounts is made, for Prometheus. */
export const memberGauges = (db: Database): GaugeSource[] => [
  {
    name: 'candela_accounts_leaving',
    help: 'Accounts that were made beyond the limits and go again unless 1 USDT is paid in; 100000 at most.',
    read: () => countLeaving(db, 100_000),
  },
]
