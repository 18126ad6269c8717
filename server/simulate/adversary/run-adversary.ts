import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { stopwatch } from '@candela/server/kernel/clock'
import type { DatabasePool } from '../run/databases.ts'
import { runOnThreads } from '../run/worker-pool.ts'
import { makeServerCopy } from '../mutations/server-copy.ts'
import { knownAttacks } from './known-attacks.ts'
import type { AdversaryResult } from './search.ts'

/** The search of each seed. */
const SEARCH = { draws: 2, climbs: 2 }
/** The search of each seed of a known attack, which is found by many seeds. */
const QUICK = { draws: 2, climbs: 1 }

type Run = {
  threads: number
  print: (line: string) => void
  /** Words of the names of the attacks to look for. */
  named?: string
}
type Pool = Pick<DatabasePool, 'url' | 'template'>

/** Searches a gain with each seed. Resolves to true when there is none and everything holds. */
export async function searchSeeds(pool: Pool, seeds: readonly number[], { threads, print }: Run): Promise<boolean> {
  const elapsed = stopwatch()
  const script = fileURLToPath(new URL('search-worker.ts', import.meta.url))
  const counts: Record<string, number> = {}
  let [failed, plans] = [0, 0]
  let most: bigint | undefined
  for await (const result of runOnThreads<AdversaryResult>(pool, seeds, { threads, script, ...SEARCH })) {
    for (const [name, count] of Object.entries(result.counts)) counts[name] = (counts[name] ?? 0) + count
    for (const finding of result.findings) print(`seed ${result.seed}: ${finding}`)
    if (result.findings.length > 0) failed += 1
    plans += result.plans
    if (most === undefined || result.gain > most) most = result.gain
  }
  print(
    `${seeds.length} searches of ${plans} plans, ${failed} failed; the best plan gained ${fromBaseUnits(most ?? 0n)} USDT; ` +
      `${(elapsed() / 1000).toFixed(1)} s`,
  )
  print(
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  )
  return failed === 0
}

/**
 * Takes out of a copy of the server what stops each known attack, and says with which seed the search finds it. It draws from the
 * strategies that belong to the attack. Resolves to true when all are found.
 */
export async function findKnownAttacks(
  pool: Pool,
  seeds: readonly number[],
  { threads, print, named = '' }: Run,
): Promise<boolean> {
  await using copy = await makeServerCopy()
  const script = join(copy.folder, 'server', 'simulate', 'adversary', 'search-worker.ts')
  const attacks = knownAttacks.filter(({ name }) => name.includes(named))
  let found = 0
  for (const attack of attacks) {
    const options = { threads, script, ...QUICK, among: attack.strategies }
    const result = await copy.withMutation(attack, async () => {
      for await (const one of runOnThreads<AdversaryResult>(pool, seeds, options))
        if (one.findings.length > 0) return one
      return undefined
    })
    if (result === undefined) print(`NOT FOUND in ${seeds.length}: ${attack.name}`)
    else print(`found with seed ${result.seed}: ${attack.name} (${result.findings[0]?.slice(0, 200)})`)
    if (result !== undefined) found += 1
  }
  print(`${found} of ${attacks.length} known attacks found within ${seeds.length} seeds`)
  return found === attacks.length
}
