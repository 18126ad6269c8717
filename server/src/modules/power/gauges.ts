import type { Database } from '../../db/open.ts'
import { gauge, type GaugeSource } from '../../kernel/gauge.ts'
import { countUnpaidAnnouncements } from '../deposit/sweep-announcements.ts'
import { countDeviceNotices } from '../notice/sweep-device-notices.ts'
import { countUnpaidOrders } from './orders/sweep-unpaid-orders.ts'

/** No more of a kind are counted. */
const COUNT_LIMIT = 100_000

/** How much is there of what costs its maker nothing, for Prometheus. */
export const freeRowGauges = (db: Database): GaugeSource[] => [
  gauge(
    'free_rows',
    'Orders and announced deposits that nobody paid and notices of new devices, all of which are swept later; 100000 of each at most.',
    async () =>
      (await countUnpaidOrders(db, COUNT_LIMIT)) +
      (await countUnpaidAnnouncements(db, COUNT_LIMIT)) +
      (await countDeviceNotices(db, COUNT_LIMIT)),
  ),
]
