import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabasePool, startDatabasePool } from '../run/databases.ts'
import { searchGain, tryPlan } from './search.ts'
import { knownAttacks } from './known-attacks.ts'
import { findKnownAttacks } from './run-adversary.ts'

/** Seeds whose plans push the price, use the fund and the desk, and borrow. */
const SEEDS = [1, 3]

/** How many seeds find a known attack. */
const ATTACK_SEEDS = 12
const seedsOf = (count: number): number[] => Array.from({ length: count }, (_none, nth) => nth + 1)
/** `ATTACKS=all` looks for all ten, which takes many minutes. */
const attacks = knownAttacks.filter(
  ({ name }) => process.env.ATTACKS === 'all' || name === 'one member fills the ceiling',
)

describe('an adversary with capital', () => {
  let pool: DatabasePool
  beforeAll(async () => {
    pool = await startDatabasePool()
  })
  afterAll(() => pool[Symbol.asyncDispose]())

  test('gains nothing, and takes nothing of the honest', async () => {
    const counts: Record<string, number> = {}
    for (const seed of SEEDS) {
      const result = await searchGain(pool, seed, { draws: 1, climbs: 1 })
      expect([seed, result.findings]).toEqual([seed, []])
      expect(result.plans).toBe(2)
      for (const [name, count] of Object.entries(result.counts)) counts[name] = (counts[name] ?? 0) + count
    }
    expect(counts['POST lever/close accepted']).toBeGreaterThan(0)
  })

  test('a plan repeats exactly, and borrows, exchanges and moves money in the fund', async () => {
    const plan = [
      { strategy: 'fillCeiling', numbers: [0.9, 0, 0, 0.1] },
      { strategy: 'useHour', numbers: [0.1, 0.4, 0, 0.3] },
      { strategy: 'pushOneBlock', numbers: [0.99, 0, 0, 0.5] },
      { strategy: 'enterAndLeaveFund', numbers: [0.1, 0.1, 0, 0.5] },
    ] as const
    const counts: Record<string, number> = {}
    const first = await tryPlan(pool, 3, plan, { absent: false, counts })
    expect(first.findings).toEqual([])
    for (const key of ['lending/borrow', 'exchange/index', 'finance/transferIn', 'finance/transferOut'])
      expect([key, counts[`POST ${key} accepted`] ?? 0]).toEqual([key, expect.toSatisfy((count: number) => count > 0)])
    expect(await tryPlan(pool, 3, plan, { absent: false })).toEqual(first)
  })

  test('does what it says: withdrawals, claims by old proofs, sales at midnight, power, dust', async () => {
    const counts: Record<string, number> = {}
    const plans = [
      [
        { strategy: 'dust', numbers: [0.02, 0.1, 0, 0] },
        { strategy: 'referralRing', numbers: [0.1, 0.3, 0.9, 0.1] },
        { strategy: 'borrowAndWithdraw', numbers: [0.5, 0.1, 0, 0.5] },
        { strategy: 'exitByOldProofs', numbers: [0.1, 0.1, 0.1, 0] },
      ],
      [{ strategy: 'waitForMidnight', numbers: [0, 0.9, 0.9, 0.1] }],
    ] as const
    for (const plan of plans) expect((await tryPlan(pool, 1, plan, { absent: false, counts })).findings).toEqual([])
    const done = [
      'POST power/getOrder accepted',
      'POST transfer/index accepted',
      'POST lending/borrow accepted',
      'POST withdraw/apply accepted',
      'claim of an older day refused',
      'claim of the last day accepted',
      'sold: term',
    ]
    expect(done.filter((name) => (counts[name] ?? 0) === 0)).toEqual([])
    expect(counts['claim of an older day accepted']).toBeUndefined()
  })

  test.each(attacks)('finds within so many seeds: $name', async ({ name }) => {
    const printed: string[] = []
    const options = { threads: 1, print: (line: string) => printed.push(line), named: name }
    expect(await findKnownAttacks(pool, seedsOf(ATTACK_SEEDS), options), printed.join()).toBe(true)
    expect(printed[0]).toMatch(/^found with seed \d+: /)
  })
})
