import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits, mulDiv } from '@candela/protocol/money/money'
import { createSharedReads } from '../../kernel/shared-reads.ts'

type Yesterday = Data<'GET home/public'>['yesterday']
type Solvency = Data<'GET home/public'>['solvency']
type FundRate = Pick<Data<'GET home/public'>, 'fundRate' | 'fundRateCloses'>
export type PublicFigures = FundRate & {
  totalUnits: number
  unit: string
  accounts: number
  yesterday: Yesterday
  chainDelayed: boolean
  solvency: Solvency
}

/** Where the figures come from. */
export type FigureSources = {
  readTotalPower: () => Promise<{ units: number; unit: string }>
  countMembers: () => Promise<number>
  /** The last closed day: its own revenue and what it paid to members, in HASH base units. */
  readLastDay: () => Promise<{ day: string; revenue: bigint; paid: bigint; totalUnits: bigint } | null>
  /** The money fund's annualised rate, and what it is computed from; null before it is known. */
  readFundRate: () => Promise<FundRate>
  /** Whether what is known of the chain is too old to act on. */
  isChainDelayed: (now: Date) => Promise<boolean>
  /** At the last reconciliation; null before the first. */
  readSolvency: (now: Date) => Promise<Solvency>
}

/**
 * In milliseconds. Anyone may ask, and the sums run over all members, so everybody gets the same answer for this long.
 */
const KEEP_MS = 3_000

/** Reads the figures at most once in three seconds, however many ask at the same time. */
export function createPublicFigures(sources: FigureSources): (now: Date) => Promise<PublicFigures> {
  const read = createSharedReads({ keep_ms: KEEP_MS, maxKept: 1 }, (_all: 'all', now) => readFigures(sources, now))
  return (now) => read('all', now)
}

async function readFigures(sources: FigureSources, now: Date): Promise<PublicFigures> {
  const [power, accounts, lastDay, fundRate, chainDelayed, solvency] = await Promise.all([
    sources.readTotalPower(),
    sources.countMembers(),
    sources.readLastDay(),
    sources.readFundRate(),
    sources.isChainDelayed(now),
    sources.readSolvency(now),
  ])
  return {
    totalUnits: power.units,
    unit: power.unit,
    accounts,
    yesterday: lastDay === null ? null : describe(lastDay),
    ...fundRate,
    chainDelayed,
    solvency,
  }
}

type LastDay = NonNullable<Awaited<ReturnType<FigureSources['readLastDay']>>>

/** Per unit: what members were really paid, over all plans, after their service fees. */
const describe = ({ day, revenue, paid, totalUnits }: LastDay): Yesterday => ({
  day,
  revenue: fromBaseUnits(revenue),
  outputPerUnit: fromBaseUnits(totalUnits === 0n ? 0n : mulDiv(paid, 1n, totalUnits)),
})
