/**
 * How long the service takes to acknowledge a command again after kill -9 of the server, of Postgres, of one of its
 * backends, or of all. Runs the kill loop and fails when the slowest recovery took longer than two seconds.
 *
 *   npx node tests/bench/recovery.ts [--kills 100]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { print } from './support/figures.ts'
import { readFlags } from '../../scripts/usage.ts'

const MAX_RECOVERY_MS = 2_000

const { values: flags } = readFlags(import.meta.filename, { options: { kills: { type: 'string', default: '100' } } })
const root = join(import.meta.dirname, '..', '..')
const child = spawn(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'server/test/faults/kill-loop.long.test.ts'],
  { cwd: root, env: { ...process.env, KILLS: flags.kills }, stdio: ['ignore', 'pipe', 'inherit'] },
)
let output = ''
child.stdout.setEncoding('utf8').on('data', (text: string) => {
  output += text
  process.stdout.write(text)
})
const [code] = (await once(child, 'close')) as [number | null]
const worst = /kill-loop: all: .* worst (\d+) ms/.exec(output)?.[1]
if (code !== 0 || worst === undefined) throw new Error('the kill loop did not come to its end')
const isQuick = Number(worst) < MAX_RECOVERY_MS
print(
  `the slowest recovery took ${worst} ms; at most ${MAX_RECOVERY_MS} ms are allowed: ${isQuick ? 'kept' : 'NOT KEPT'}`,
)
if (!isQuick) process.exitCode = 1
