import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { stopwatch } from '@candela/server/kernel/clock'
import { makeServerCopy } from '../mutations/server-copy.ts'
import type { DatabasePool } from '../run/databases.ts'
import { runOnThreads } from '../run/worker-pool.ts'
import type { CrowdResult } from './crowd.ts'
import { crowdMutations } from './crowd-mutations.ts'

type Run = { threads: number; print: (line: string) => void }
type Pool = Pick<DatabasePool, 'url' | 'template'>

/** Runs a crowd with each seed. Resolves to true when everything holds. */
export async function runCrowds(pool: Pool, seeds: readonly number[], { threads, print }: Run): Promise<boolean> {
  const script = fileURLToPath(new URL('crowd-worker.ts', import.meta.url))
  const elapsed = stopwatch()
  const total: Record<string, number> = {}
  let failed = 0
  for await (const { seed, findings, counts } of runOnThreads<CrowdResult>(pool, seeds, { threads, script })) {
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count
    for (const finding of findings) print(`seed ${seed}: ${finding}`)
    if (findings.length > 0) failed += 1
  }
  print(`${seeds.length} crowds, ${failed} failed; ${(elapsed() / 1_000).toFixed(1)} s`)
  print(
    Object.entries(total)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  )
  return failed === 0
}

/** Takes out of a copy of the server what stops the crowd, and says with which seed that is found. */
export async function findCrowdMutations(
  pool: Pool,
  seeds: readonly number[],
  { threads, print, named }: Run & { named: string },
): Promise<boolean> {
  await using copy = await makeServerCopy()
  const script = join(copy.folder, 'server', 'simulate', 'crowd', 'crowd-worker.ts')
  const chosen = crowdMutations.filter(({ name }) => name.includes(named))
  if (chosen.length === 0) throw new RangeError(`nothing that stops a crowd is called so: ${named}`)
  let found = 0
  for (const mutation of chosen) {
    const result = await copy.withMutation(mutation, async () => {
      for await (const one of runOnThreads<CrowdResult>(pool, seeds, { threads, script }))
        if (one.findings.length > 0) return one
      return undefined
    })
    if (result === undefined) print(`NOT FOUND in ${seeds.length}: ${mutation.name}`)
    else print(`found with seed ${result.seed}: ${mutation.name} (${result.findings[0]?.slice(0, 160)})`)
    if (result !== undefined) found += 1
  }
  print(`${found} of ${chosen.length} found within ${seeds.length} seeds`)
  return found === chosen.length
}
