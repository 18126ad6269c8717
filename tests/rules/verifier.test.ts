import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import semver from 'semver'
import manifest from '../../package.json' with { type: 'json' }
import { root } from './support/source-files.ts'

/** The verifier as one file: what it ends with, on this Node and on an older one where the system has it. */

/** This Node, and the system's where it may run the product. */
const nodes = [
  process.execPath,
  ...['/usr/bin/node', '/usr/local/bin/node'].filter(
    (file) =>
      existsSync(file) &&
      semver.satisfies(execFileSync(file, ['--version'], { encoding: 'utf8' }).trim(), manifest.engines.node),
  ),
]

const built = path.join(root, 'verify', 'dist', 'verify.mjs')

type Ended = { code: number; output: string }

const run = (program: string, given: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(program, given, { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    )
  })

beforeAll(async () => {
  expect(await run(process.execPath, ['scripts/build-verifier.ts'])).toEqual({ code: 0, output: '' })
})

const nowhere = 'http://127.0.0.1:9'
const whole = ['--gateway', `0x${'a1'.repeat(20)}`, '--rpc', nowhere, '--service', nowhere]

test.each([
  [['--help'], 0, /Recomputes what a Candela service publishes/],
  [[], 2, /--gateway ADDRESS/],
  [whole, 2, /the service gives no answer to home\/public/],
])('with %j it ends with %d', async (given, code, says) => {
  for (const program of nodes) {
    const ended = await run(program, [built, ...given])
    expect([program, ended.code]).toEqual([program, code])
    expect(ended.output).toMatch(says)
  }
})
