import { DAY_MS } from '@candela/protocol/units'
import { type Database, transaction, type Tx } from '../db/open.ts'
import { dailyClose } from './daily-close.ts'
import { sweepRequests } from '../db/idempotency/sweep-requests.ts'
import { readSettings } from '../db/settings.ts'
import type { PeriodicTask } from './worker.ts'
import type { Clock } from '../kernel/clock.ts'
import { addPartitions } from '../ledger/upkeep/partitions.ts'
import { cancelUnpaidOrders } from '../modules/power/orders/cancel-unpaid-orders.ts'
import { sweepUnpaidOrders } from '../modules/power/orders/sweep-unpaid-orders.ts'
import { sweepQuotes } from '../modules/exchange/sweep-quotes.ts'
import { bookDust } from '../modules/deposit/dust/book-dust.ts'
import { sweepAnnouncements } from '../modules/deposit/sweep-announcements.ts'
import { closeDays } from '../modules/income/close-days.ts'
import { sweepMembers } from '../modules/session/sweep-members.ts'
import { tellDeficits } from '../modules/fund/tell-deficits.ts'
import { closeLending } from '../modules/lending/loan/daily/close-lending.ts'
import { sweepDeviceNotices } from '../modules/notice/sweep-device-notices.ts'
import { expirePower } from '../modules/power/holdings/expire-power.ts'
import { sweepRankings } from '../modules/ranking/sweep-days.ts'
import { sweepNonces, sweepSessions } from '../modules/session/sweep.ts'

const BATCH = 1_000
/** A day waits this long after its end for deposits of revenue that are confirming. */
const MAX_DEPOSIT_WAIT_MS = DAY_MS

/**
 * Work that is due now and then. Each can run twice or late without harm.
 * @param depth confirmations of the largest payments
 */
export function periodicTasks(db: Database, clock: Clock, depth: number): Record<string, PeriodicTask> {
  return {
    'cancel-unpaid-orders': {
      match: '* * * * *',
      run: async () => ({ cancelled: await inBatches(db, (tx) => cancelUnpaidOrders(tx, clock.now(), BATCH)) }),
    },
    'daily-close': dailyClose(
      (upTo) => closeDays({ db, clock, depth, maxWait_ms: MAX_DEPOSIT_WAIT_MS }, upTo),
      async () => (await readSettings(db)).closeMinutes,
      clock,
    ),
    // Apart from the close of income, which may have to wait for deposits.
    'credit-close': dailyClose(
      async (upTo) => ({ closed: await closeLending({ db, clock }, upTo), waits: null }),
      async () => (await readSettings(db)).closeMinutes,
      clock,
    ),
    'tell-deficits': {
      match: '* * * * *',
      async run() {
        while (await transaction(db, (tx) => tellDeficits(tx, clock.now())));
      },
    },
    'expire-power': {
      match: '* * * * *',
      run: async () => ({ expired: await inBatches(db, (tx) => expirePower(tx, clock.now(), BATCH)) }),
    },
    'add-ledger-partitions': { match: '* * * * *', run: async () => ({ made: await addPartitions(db) }) },
    'book-dust': {
      match: '*/5 * * * *',
      async run() {
        let sums = 0
        // A batch has sums of one day.
        for (;;) {
          const booked = await transaction(db, (tx) => bookDust(tx, clock.now(), BATCH))
          sums += booked
          if (booked === 0) return { sums }
        }
      },
    },
    'sweep-free-rows': {
      match: '10 * * * *',
      run: async () => ({
        orders: await inBatches(db, (tx) => sweepUnpaidOrders(tx, BATCH)),
        announcements: await inBatches(db, (tx) => sweepAnnouncements(tx, BATCH)),
        notices: await inBatches(db, (tx) => sweepDeviceNotices(tx, clock.now(), BATCH)),
      }),
    },
    'sweep-members': {
      match: '40 * * * *',
      run: async () => ({
        looked: await inBatches(db, (tx) => sweepMembers(tx, clock.now(), BATCH)),
      }),
    },
    'sweep-quotes': {
      match: '*/5 * * * *',
      run: async () => ({ looked: await inBatches(db, (tx) => sweepQuotes(tx, clock.now(), BATCH)) }),
    },
    'sweep-rankings': {
      match: '20 3 * * *',
      run: async () => ({ days: await inBatches(db, (tx) => sweepRankings(tx, clock.now(), BATCH)) }),
    },
    'sweep-requests': {
      match: '*/5 * * * *',
      run: async () => ({ forgotten: await inBatches(db, (tx) => sweepRequests(tx, clock.now(), BATCH)) }),
    },
    'sweep-sessions': {
      match: '*/5 * * * *',
      run: async () => ({
        nonces: await inBatches(db, (tx) => sweepNonces(tx, clock.now(), BATCH)),
        sessions: await inBatches(db, (tx) => sweepSessions(tx, clock.now(), BATCH)),
      }),
    },
  }
}

/** One transaction a batch, so that a long backlog neither holds locks for long nor starts anew when it is interrupted. */
async function inBatches(db: Database, batch: (tx: Tx) => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const done = await transaction(db, batch)
    total += done
    if (done < BATCH) return total
  }
}
