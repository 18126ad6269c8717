import { yesterdayOf } from '@candela/protocol/calendar'
import { codes } from '@candela/protocol/codes/codes'
import type { Database } from '../../db/open.ts'
import { AppError, OperatorError } from '../../kernel/errors.ts'
import { closeDays, type CloseDeps as ShareDeps } from '../../modules/income/close-days.ts'
import { readDay } from '../../modules/income/read-day.ts'
import { closeLending } from '../../modules/lending/loan/daily/close-lending.ts'
import { readDayText } from '../options/day-text.ts'
import type { Bindings } from '../run.ts'

type CloseDeps = {
  openDatabase: () => Promise<Database>
  /** Confirmations of the largest payments. */
  depth: () => Promise<number>
}

export const closeCommands = (deps: CloseDeps): Bindings<'close'> => ({
  close: {
    // The close takes many transactions, and the follower may be waiting for what this one would hold.
    work: (_tx, input, { now }) => Promise.resolve({ day: dayToClose(input, now), state: 'closing' }),
    afterwards: (input, now) => closeUpTo(deps, dayToClose(input, now), now),
  },
})

function dayToClose({ day }: { day?: string | undefined }, now: Date): string {
  const yesterday = yesterdayOf(now)
  if (day === undefined) return yesterday
  if (readDayText(day) > yesterday) throw new OperatorError(`${day} is not over`)
  return day
}

async function closeUpTo(deps: CloseDeps, day: string, now: Date) {
  // One instant for all of it, which is the database's: whatever the clock of this machine says.
  const clock = { now: () => now }
  const db = await deps.openDatabase()
  try {
    // First, because it waits for no deposits.
    const lendingDays = await closeLending({ db, clock }, day)
    return await shareRevenue({ db, clock, depth: await deps.depth() }, { day, lendingDays })
  } finally {
    await db.destroy()
  }
}

/** @param lendingDays the days that the loans and the fund were closed for before */
async function shareRevenue(deps: ShareDeps, { day, lendingDays }: { day: string; lendingDays: string[] }) {
  try {
    const { closed, waits } = await closeDays(deps, day)
    if (waits !== null && closed.length === 0) throw new OperatorError(`${day} cannot be closed yet: ${waits}`)
    const days = closed.length > 0 ? closed : [day]
    const lines = await Promise.all(
      days.map(async (each) => {
        const { plans: _plans, deposits, unit, ...figures } = await readDay(deps.db, each)
        const state = closed.includes(each) ? 'closed now' : 'closed before'
        const loans = lendingDays.includes(each) ? 'closed now' : 'closed before'
        return {
          ...figures,
          closed: state,
          loans,
          totalUnits: `${figures.totalUnits} ${unit}`,
          deposits: deposits.length,
        }
      }),
    )
    return waits === null ? lines : [...lines, { day, closed: `not yet: ${waits}` }]
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== codes.notFound) throw error
    const days = lendingDays.length > 1 ? `${lendingDays[0]} to ${lendingDays.at(-1)}` : lendingDays[0]
    const loans = days === undefined ? 'were closed before' : `are closed for ${days}`
    return { done: `the loans and the fund ${loans}; no revenue was shared, because nobody had power up to ${day}` }
  }
}
