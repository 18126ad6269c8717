import { assetCodes } from '@candela/protocol/money/assets'
import { codes } from '@candela/protocol/codes/codes'
import type { Database } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { startOfDay, utcDay } from '@candela/protocol/calendar'
import { createBatcher } from '../../kernel/batcher.ts'
import { AppError } from '../../kernel/errors.ts'
import { memberAccount } from '../../ledger/chart.ts'
import { countSpent } from '../../ledger/statement/count-spent.ts'

export type DailyBudget = ReturnType<typeof dailyBudget>

/** How long a change of the setting may go unnoticed. */
const SETTING_MS = 10_000
/** Transfers that another server has made of a member may go unnoticed for this long. */
const COUNT_MS = 60_000
/** How many members are remembered; one that is not is counted again from the journal. */
const MAX_MEMBERS = 100_000
/** How many of a member's newest transfer entries are read, for each asset. */
const MAX_COUNTED = 1_000
/** How many members one statement counts: few, because all of them wait for it. */
const MAX_BATCH = 16

type Day = { day: string; made: number; countedAt: Date }

/**
 * Transfers cost nothing and stay in the journal for ever, so each member has so many in a UTC day (setting
 * `transfersPerDay`).
 * Counts in memory, because a count in the database would cost every transfer another row. It begins with what the journal
 * has of the day and looks there again each minute, so a restart forgets nothing, and what other servers have made counts
 * too. A repetition of a request counts again.
 */
export function dailyBudget(db: Database) {
  const days = new Map<bigint, Promise<Day>>()
  const count = createBatcher((asked: readonly CountQuery[]) => countTransfers(db, asked), { maxBatch: MAX_BATCH })
  let setting: { at: Date; limit: Promise<number> } | undefined
  const readLimit = (now: Date): Promise<number> => {
    if (setting === undefined || Math.abs(now.getTime() - setting.at.getTime()) >= SETTING_MS) {
      setting = { at: now, limit: readSettings(db).then(({ transfersPerDay }) => transfersPerDay) }
      setting.limit.catch(() => (setting = undefined))
    }
    return setting.limit
  }
  const begin = (memberId: bigint, now: Date, ownCount = 0): Promise<Day> => {
    if (days.size >= MAX_MEMBERS) days.clear()
    const counted = count({ memberId, now }).then((made) => ({
      day: utcDay(now),
      // Transfers that are under way are not in the journal yet.
      made: Math.max(made, ownCount),
      countedAt: now,
    }))
    days.set(memberId, counted)
    counted.catch(() => days.delete(memberId))
    return counted
  }
  return {
    /** Takes one of the member's transfers of the day. @returns the refusal when none is left: 4209 */
    async take(memberId: bigint, now: Date): Promise<AppError | null> {
      const limit = await readLimit(now)
      let counted = days.get(memberId) ?? begin(memberId, now)
      let today = await counted
      if (!isCurrent(today, now)) {
        // The first call that comes here counts for all of them.
        const latest = days.get(memberId)
        const made = today.day === utcDay(now) ? today.made : 0
        counted = latest === undefined || latest === counted ? begin(memberId, now, made) : latest
        today = await counted
      }
      if (today.made >= limit) return new AppError(codes.transferLimit, { limit })
      today.made += 1
      return null
    },
    /** Gives back one that was taken and not used. */
    putBack(memberId: bigint): void {
      void days.get(memberId)?.then((today) => (today.made -= 1))
    },
  }
}

const isCurrent = ({ day, countedAt }: Day, now: Date): boolean =>
  day === utcDay(now) && Math.abs(now.getTime() - countedAt.getTime()) < COUNT_MS

type CountQuery = { memberId: bigint; now: Date }

/** For each member, in order: how many transfers it has made on the UTC day of its `now`. */
async function countTransfers(db: Database, asked: readonly CountQuery[]): Promise<number[]> {
  const accounts = asked.flatMap(({ memberId, now }) =>
    assetCodes.map((asset) => ({
      account: memberAccount(memberId, 'memberAvailable', asset),
      since: startOfDay(utcDay(now)),
    })),
  )
  const spent = await countSpent(db, accounts, { kind: 'transfer', newest: MAX_COUNTED })
  return asked.map((_, place) =>
    spent.slice(place * assetCodes.length, (place + 1) * assetCodes.length).reduce((sum, each) => sum + each, 0),
  )
}
