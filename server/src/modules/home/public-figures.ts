import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits, mulDiv } from '@candela/protocol/money/money'

type Yesterday = Data<'GET home/public'>['yesterday']
export type PublicFigures = {
  totalUnits: number
  unit: string
  accounts: number
  yesterday: Yesterday
  fundRate: string | null
}

/** Where the figures come from. */
export type FigureSources = {
  readTotalPower: () => Promise<{ units: number; unit: string }>
  countMembers: () => Promise<number>
  /** The last closed day: its own revenue and what it paid to members, in HASH base units. */
  readLastDay: () => Promise<{ day: string; revenue: bigint; paid: bigint; totalUnits: bigint } | null>
  /** The money fund's annualised rate as a fraction; null before it is known. */
  readFundRate: () => Promise<string | null>
}

/** Anyone may ask, and the sums run over all members, so one answer serves everybody for this long. */
const KEEP_MS = 3_000

/** Reads the figures at most once in three seconds, however many ask at the same time. */
export function createPublicFigures(sources: FigureSources): (now: Date) => Promise<PublicFigures> {
  let kept: { at: Date; figures: Promise<PublicFigures> } | undefined
  return async (now) => {
    if (kept === undefined || Math.abs(now.getTime() - kept.at.getTime()) >= KEEP_MS) {
      kept = { at: now, figures: readFigures(sources) }
    }
    const current = kept
    try {
      return await current.figures
    } catch (error) {
      // A failure is not kept: the next one asks again.
      if (kept === current) kept = undefined
      throw error
    }
  }
}

async function readFigures(sources: FigureSources): Promise<PublicFigures> {
  const [power, accounts, lastDay, fundRate] = await Promise.all([
    sources.readTotalPower(),
    sources.countMembers(),
    sources.readLastDay(),
    sources.readFundRate(),
  ])
  return {
    totalUnits: power.units,
    unit: power.unit,
    accounts,
    yesterday: lastDay === null ? null : describe(lastDay),
    fundRate,
  }
}

type LastDay = NonNullable<Awaited<ReturnType<FigureSources['readLastDay']>>>

/** Per unit: what members were really paid, over all plans, after their service fees. */
const describe = ({ day, revenue, paid, totalUnits }: LastDay): Yesterday => ({
  day,
  revenue: fromBaseUnits(revenue),
  outputPerUnit: fromBaseUnits(totalUnits === 0n ? 0n : mulDiv(paid, 1n, totalUnits)),
})
