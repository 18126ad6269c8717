import { assetCodes } from '@candela/protocol/money/assets'
import { codes } from '@candela/protocol/codes/codes'
import type { Database } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { startOfDay, utcDay } from '@candela/protocol/calendar'
import { AppError } from '../../kernel/errors.ts'
import { memberAccount } from '../../ledger/chart.ts'
import { statement } from '../../ledger/statement/statement.ts'

/**
 * Transfers cost nothing and stay in the journal for ever, so each member has so many in a UTC day (setting
 * `transfersPerDay`).
 */
export type DailyBudget = {
  /** Takes one of the member's transfers of the day. @returns the refusal when none is left: 4209 */
  take: (memberId: bigint, now: Date) => Promise<AppError | null>
  /** Gives back one that was taken and not used. */
  putBack: (memberId: bigint) => void
}

/** How long a change of the setting may go unnoticed. */
const SETTING_MS = 10_000
/** How many members are remembered; one that is not is counted again from the journal. */
const MAX_MEMBERS = 100_000
/** Entries of the day that are looked at when a member is counted. */
const MAX_COUNTED = 1_000

type Day = { day: string; made: number }

/**
 * Counts in memory, because a count in the database would cost every transfer another row. It begins with what the journal
 * has of the day, so a restart forgets nothing; a repetition of a request counts again.
 */
export function dailyBudget(db: Database): DailyBudget {
  const days = new Map<bigint, Promise<Day>>()
  let setting: { at: Date; limit: Promise<number> } | undefined
  const readLimit = (now: Date): Promise<number> => {
    if (setting === undefined || Math.abs(now.getTime() - setting.at.getTime()) >= SETTING_MS) {
      setting = { at: now, limit: readSettings(db).then(({ transfersPerDay }) => transfersPerDay) }
      setting.limit.catch(() => (setting = undefined))
    }
    return setting.limit
  }
  const begin = (memberId: bigint, now: Date): Promise<Day> => {
    if (days.size >= MAX_MEMBERS) days.clear()
    const counted = countDay(db, memberId, now)
    days.set(memberId, counted)
    counted.catch(() => days.delete(memberId))
    return counted
  }
  return {
    async take(memberId, now) {
      const limit = await readLimit(now)
      let today = await (days.get(memberId) ?? begin(memberId, now))
      if (today.day !== utcDay(now)) {
        // The first call that waits here starts the new day for all of them.
        const known = await days.get(memberId)
        today = known !== undefined && known.day === utcDay(now) ? known : await begin(memberId, now)
      }
      if (today.made >= limit) return new AppError(codes.transferLimit, { limit })
      today.made += 1
      return null
    },
    putBack(memberId) {
      void days.get(memberId)?.then((today) => (today.made -= 1))
    },
  }
}

async function countDay(db: Database, memberId: bigint, now: Date): Promise<Day> {
  const day = utcDay(now)
  const { items } = await statement(db, {
    accounts: assetCodes.map((asset) => memberAccount(memberId, 'memberAvailable', asset)),
    kinds: ['transfer'],
    since: startOfDay(day),
    limit: MAX_COUNTED,
    cursor: undefined,
  })
  return { day, made: items.filter(({ amount }) => amount < 0n).length }
}
