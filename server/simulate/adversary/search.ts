import { stopwatch } from '@candela/server/kernel/clock'
import { reasonOf } from '@candela/server/kernel/errors'
import type { DatabasePool } from '../run/databases.ts'
import { type Random, seededRandom } from '../run/random.ts'
import { call, type Economy, openEconomy, pass, release } from './economy.ts'
import { watchEconomy } from './oracle.ts'
import { type Numbers, strategies, type StrategyName } from './strategies.ts'

/** One strategy after the other. */
export type Plan = readonly { strategy: StrategyName; numbers: Numbers }[]

export type AdversaryResult = {
  seed: number
  /** Descriptions of what does not hold, with the plan that showed it; empty when all checks pass. */
  findings: string[]
  /** The gain of the best plan, in USDT base units; it is below zero where all plans lose. */
  gain: bigint
  /** How many were tried. */
  plans: number
  /** How often each call was accepted or refused, and each strategy was tried. */
  counts: Record<string, number>
  took_ms: number
}

/** How many plans are drawn, and how many changes of the best one are tried then. */
export type SearchOptions = {
  draws: number
  climbs: number
  /** The strategies of which plans are drawn; by default all. */
  among?: readonly StrategyName[] | undefined
}

const DAY_S = 86_400
const names = Object.keys(strategies) as StrategyName[]

/** Draws plans, then changes the best one for as long as that gains more; ends at the first finding. */
export async function searchGain(
  pool: DatabasePool,
  seed: number,
  { draws, climbs, among = names }: SearchOptions,
): Promise<AdversaryResult> {
  const elapsed = stopwatch()
  const random = seededRandom(seed)
  random.below(2)
  const absent = random.chance(0.5)
  const counts: Record<string, number> = {}
  let plans = 0
  let best: { plan: Plan; gain: bigint } | undefined
  const result = (findings: string[]) => ({ seed, findings, gain: best?.gain ?? 0n, plans, counts, took_ms: elapsed() })
  for (let nth = 0; nth < draws + climbs; nth++) {
    const plan = best === undefined || nth < draws ? drawPlan(random, among) : changed(random, best.plan, among)
    plans += 1
    for (const { strategy } of plan) counts[strategy] = (counts[strategy] ?? 0) + 1
    const { gain, findings } = await tryPlan(pool, seed, plan, { absent, counts })
    if (findings.length > 0)
      return result(findings.map((finding) => `${finding}; ${absent ? 'others are absent, ' : ''}${describe(plan)}`))
    if (best === undefined || gain > best.gain) best = { plan, gain }
  }
  return result([])
}

const describe = (plan: Plan): string =>
  plan.map(({ strategy, numbers }) => `${strategy}(${numbers.map((number) => number.toFixed(3)).join(' ')})`).join(', ')

const drawNumber = (random: Random): number => random.below(1_000) / 1_000
const drawPlan = (random: Random, among: readonly StrategyName[]): Plan =>
  Array.from({ length: 1 + random.below(Math.min(3, among.length)) }, () => ({
    strategy: random.pick(among),
    numbers: [drawNumber(random), drawNumber(random), drawNumber(random), drawNumber(random)],
  }))

/** One number moves, or one strategy is another or comes besides. */
function changed(random: Random, plan: Plan, among: readonly StrategyName[]): Plan {
  const index = random.below(plan.length)
  if (random.chance(0.2)) return [...plan, ...drawPlan(random, among).slice(0, 1)].slice(-4)
  if (random.chance(0.2)) return plan.with(index, drawPlan(random, among)[0] as Plan[number])
  return plan.with(index, moved(random, plan[index] as Plan[number]))
}

function moved(random: Random, step: Plan[number]): Plan[number] {
  const place = random.below(4)
  const numbers = step.numbers.map((number, nth) =>
    nth === place ? Math.min(0.999, Math.max(0, number + (drawNumber(random) - 0.5) / 2)) : number,
  ) as unknown as Numbers
  return { ...step, numbers }
}

/** `hash`: of every step, the same for the same seed and plan. */
type Outcome = { gain: bigint; findings: string[]; hash: string }

/** Runs a plan in a new economy, and counts what it gained when everything is as it was. */
export async function tryPlan(
  pool: DatabasePool,
  seed: number,
  plan: Plan,
  { absent, counts = {} }: { absent: boolean; counts?: Record<string, number> },
): Promise<Outcome> {
  await using lent = await pool.open()
  const economy = await openEconomy(seed, lent, { absent })
  const outcome = (gain: bigint, findings: string[]) => ({ gain, findings, hash: economy.simulation.traceHash() })
  try {
    await settle(economy)
    const watch = await watchEconomy(economy)
    for (const { strategy, numbers } of plan) {
      await strategies[strategy](economy, numbers)
      if (economy.hasExited) break
      await watch.letHonestAct()
      if (economy.findings.length > 0) return outcome(0n, economy.findings)
    }
    release(economy)
    // After the end of the service there is nobody whom time would help.
    if (!economy.hasExited) await pass(economy, 3_700)
    await watch.check()
    return outcome(await watch.gain(), economy.findings)
  } catch (error) {
    return outcome(0n, [reasonOf(error), ...economy.simulation.violations.map(reasonOf)])
  } finally {
    for (const [answer, count] of Object.entries(economy.answers)) counts[answer] = (counts[answer] ?? 0) + count
  }
}

/** Eight days pass, as many as a pair needs to be lent on; then the honest have what they have. */
async function settle(economy: Economy): Promise<void> {
  const { simulation, honest, asset, pair, fair } = economy
  await simulation.db.deleteFrom('setting').where('key', '=', 'pairAgeDays').execute()
  await pass(economy, 8 * DAY_S, DAY_S)
  await pass(economy, 1_800, 300)
  await call(economy, honest.lender, 'POST finance/transferIn', { amount: (pair / (2n * 10n ** 18n)) * 10n ** 18n })
  const collateral = (pair * 10n ** 18n) / (fair * 40n)
  const projectNo = simulation.lending.projects[asset]
  const borrowed = await call(economy, honest.borrower, 'POST lending/borrow', {
    projectNo,
    amount: pair / 100n,
    collateral,
    days: 90,
  })
  const margin = pair / 500n
  const input = { asset, margin, ratio: 30, days: 30, minBought: 1n, acceptWarning: true } as const
  const levered = await call(economy, honest.levered, 'POST lever/open', input)
  if (borrowed === null || levered === null)
    throw new Error(`the honest cannot begin: ${JSON.stringify(economy.answers)}`)
  // The hour of the desk is the adversary's.
  await pass(economy, 3_700, 1_850)
}
