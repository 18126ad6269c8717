import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits, mulDiv } from '@candela/protocol/money/money'
import { createSharedReads } from '../../kernel/shared-reads.ts'
import type { StandbyReads } from '../../db/standby/standby.ts'
import { type FollowerLimits, isChainBehind } from '../../chain/follow/status.ts'
import { summarizeSolvency } from '../reconcile/get-solvency.ts'
import { readTotalPower } from '../power/holdings/read-total-power.ts'
import { countMembers } from '../member/count-members.ts'
import { type LastDay, readLastDay } from '../income/read-day.ts'
import { readFundRate } from '../fund/rate.ts'

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

/** The figures are read from the standby; `chainLimits` say when the chain is too old to act on. */
export type FigureDeps = { standby: StandbyReads; chainLimits: FollowerLimits }

/**
 * In milliseconds. Anyone may ask, and the sums run over all members, so everybody gets the same answer for this long.
 */
const KEEP_MS = 3_000

/** Reads the figures at most once in three seconds, however many ask at the same time. */
export function createPublicFigures(deps: FigureDeps): (now: Date) => Promise<PublicFigures> {
  const read = createSharedReads({ keep_ms: KEEP_MS, maxKept: 1 }, (_all: 'all', now) => readFigures(deps, now))
  return (now) => read('all', now)
}

async function readFigures({ standby, chainLimits }: FigureDeps, now: Date): Promise<PublicFigures> {
  const [power, accounts, lastDay, fundRate, chainDelayed, solvency] = await Promise.all([
    standby.recent(readTotalPower),
    standby.recent(countMembers),
    standby.recent(readLastDay),
    standby.recent(readFundRate),
    standby.recent((db) => isChainBehind(db, chainLimits, now)),
    standby.recent((db) => summarizeSolvency(db, now)),
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

/** Per unit: what members were really paid, over all plans, after their service fees. */
const describe = ({ day, revenue, paid, totalUnits }: LastDay): Yesterday => ({
  day,
  revenue: fromBaseUnits(revenue),
  outputPerUnit: fromBaseUnits(totalUnits === 0n ? 0n : mulDiv(paid, 1n, totalUnits)),
})
