import type { GaugeSource } from '../../api/metrics.ts'
import type { Database } from '../../db/open.ts'
import { countUnpaidAnnouncements } from '../../modules/deposit/sweep-announcements.ts'
import { countLeaving } from '../../modules/member/count-members.ts'
import { countDeviceNotices } from '../../modules/notice/sweep-device-notices.ts'
import { countUnpaidOrders } from '../../modules/power/orders/sweep-unpaid-orders.ts'

/** No more of a kind are counted. */
const COUNT_LIMIT = 100_000

/** Whether a crowd of accounts is made, and of what costs its maker nothing, for Prometheus. */
export const memberGauges = (db: Database): GaugeSource[] => [
  {
    name: 'candela_accounts_leaving',
    help: 'Accounts that were made beyond the limits and go again unless 1 USDT is paid in; 100000 at most.',
    read: () => countLeaving(db, COUNT_LIMIT),
  },
  {
    name: 'candela_free_rows',
    help: 'Orders and announced deposits that nobody paid and notices of new devices, all of which are swept later; 100000 of each at most.',
    read: async () =>
      (await countUnpaidOrders(db, COUNT_LIMIT)) +
      (await countUnpaidAnnouncements(db, COUNT_LIMIT)) +
      (await countDeviceNotices(db, COUNT_LIMIT)),
  },
]
