/**
 * Runs every bench with so little that it ends within a minute or two, one after the other: their figures mean nothing, but a
 * bench that nobody has run since something else changed is found broken here. Exit code 1 when one has failed.
 *
 *   npm run bench:small [-- ledger api]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { seconds } from './support/figures.ts'
import { showHelp } from '../../scripts/usage.ts'

showHelp(import.meta.filename)

/** The flags that make each of them small. */
const benches: Readonly<Record<string, readonly string[]>> = {
  accrual: ['--accounts', '5000', '--rounds', '1', '--kills', '1', '--chunk', '1000'],
  api: ['--rounds', '1', '--requests', '300', '--logins', '50'],
  'api-processes': ['--rounds', '1', '--requests', '200'],
  credit: ['--loans', '2000', '--rounds', '1', '--looks', '1', '--crossing', '10'],
  follower: ['--payments', '1000', '--rounds', '1'],
  growth: ['--entries', '20000', '--members', '2000', '--rounds', '1', '--batches', '5'],
  history: ['--rows', '20000', '--rounds', '3'],
  lending: ['--loans', '2000', '--rounds', '1', '--looks', '1', '--crossing', '10'],
  ledger: ['--rounds', '1', '--batches', '10', '--members', '1000'],
  payouts: ['--seconds', '1', '--blocks', '2'],
  proof: ['--members', '2048', '--rounds', '1'],
  ranking: ['--accounts', '5000', '--seconds', '1', '--purchases', '10'],
  recovery: ['--kills', '1'],
  screens: ['--postings', '500', '--runs', '1'],
  transfer: ['--rounds', '1', '--transfers', '200', '--lines', '8'],
  verify: ['--payments', '1000'],
  web: [],
}
/** Three of them judge what they measured. On a small run that means nothing. */
const JUDGED = /reads are not within their bounds|: NOT KEPT|^missed: /m

const wanted = process.argv.slice(2)
const present = (await readdir(import.meta.dirname)).flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? [])
const unknown = present.filter((name) => name !== 'small' && !(name in benches))
if (unknown.length > 0) throw new Error(`no small run is known of ${unknown.join(', ')}`)

for (const [name, args] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  let output = ''
  let code: unknown
  const took = await seconds(async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], { stdio: 'pipe' })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    ;[code] = (await once(child, 'close')) as unknown[]
  })
  const isWhole = code === 0 || JUDGED.test(output)
  process.stdout.write(`${isWhole ? 'ok    ' : 'FAILED'} ${name} (${took.toFixed(0)} s)\n`)
  if (isWhole) continue
  process.stdout.write(`${output.split('\n').slice(-20).join('\n')}\n`)
  process.exitCode = 1
}
