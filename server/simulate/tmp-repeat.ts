import { startDatabasePool } from './run/databases.ts'
import { runSeeds } from './run/worker-pool.ts'
await using pool = await startDatabasePool()
const n = Number(process.argv[2])
const seeds = Array.from({ length: n }, (_, i) => i + 1)
for (const exit of [true, false]) {
  const hashes = new Map<number, string>()
  for await (const r of runSeeds(pool, seeds, { workers: 2, exit })) {
    hashes.set(r.seed, r.hash)
    if (exit) console.log(r.seed, Math.round(r.took_ms), JSON.stringify(r.figures.exit))
    for (const f of r.findings) console.log(r.seed, f)
  }
  for await (const r of runSeeds(pool, seeds, { workers: 1, exit }))
    if (hashes.get(r.seed) !== r.hash) console.log('differs', exit, r.seed, hashes.get(r.seed), r.hash)
}
