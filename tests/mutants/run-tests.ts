import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The database that the tests copy theirs from. */
export type Cluster = { url: string; template: string }

/** killed: `by` failed. hung: the tests did not end in time and were stopped, which also shows the bug. */
export type TestOutcome = { outcome: 'passed' | 'hung' } | { outcome: 'killed'; by: string }

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

/** The parts of vitest's JSON report that are used. */
type Report = {
  numPassedTests: number
  testResults: { name: string; message: string; assertionResults: { fullName: string; status: string }[] }[]
}

/**
 * Runs tests on a copy in a process of their own until the first fails.
 * @throws when nothing could be tested: tests that do not load, or a path without tests
 */
export async function runTests(
  copy: string,
  tests: readonly string[],
  { cluster, limit_ms }: { cluster: Cluster; limit_ms: number },
): Promise<TestOutcome> {
  const file = join(copy, 'report.json')
  await rm(file, { force: true })
  const options = ['--config', 'tests/mutants/vitest.config.ts', '--reporter', 'json', '--outputFile', file]
  const { ended, output } = await runProcess([vitest, 'run', ...tests, ...options], copy, limit_ms, {
    MUTANTS_DATABASE_URL: cluster.url,
    MUTANTS_TEMPLATE: cluster.template,
  })
  if (ended === 'stopped') return { outcome: 'hung' }
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) throw new Error(`the tests did not run:\n${output}`)
  const { testResults, numPassedTests } = JSON.parse(text) as Report
  for (const { name, message, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed')
    if (failed !== undefined) return { outcome: 'killed', by: `${name.slice(copy.length + 1)}: ${failed.fullName}` }
    // Nothing of the file has run: its preparation failed, or it could not even be loaded.
    if (message !== '' && assertionResults.length === 0) throw new Error(`${name} does not load: ${message}`)
    if (message !== '') return { outcome: 'killed', by: `${name.slice(copy.length + 1)}: ${message.slice(0, 100)}` }
  }
  if (ended === 0 && numPassedTests > 0) return { outcome: 'passed' }
  // An error outside of any test, such as a promise that nobody waits for.
  if (numPassedTests > 0) return { outcome: 'killed', by: `an error beside the tests: ${output.slice(0, 200)}` }
  throw new Error(`no test ran:\n${output}`)
}

/** Process groups of the tests that run now. */
const running = new Set<number>()

let isEnding = false

/** Ends all tests that run now, with everything that they started, and lets none begin: for a signal that ends this process. */
export function endTests(): void {
  isEnding = true
  for (const group of running) process.kill(-group, 'SIGKILL')
  running.clear()
}

/** The exit code, or 'stopped' when it took longer; then it is ended with all that it started. */
function runProcess(
  args: readonly string[],
  cwd: string,
  limit_ms: number,
  env: Record<string, string>,
): Promise<{ ended: number | 'stopped'; output: string }> {
  return new Promise((resolve, reject) => {
    // The run ends here: the copies are being removed.
    if (isEnding) return
    const child = spawn(process.execPath, args, {
      cwd,
      // A group of its own, which can be ended as a whole.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...withoutVitest(process.env), ...env },
    })
    let output = ''
    child.stdout.on('data', (part: Buffer) => (output += part.toString()))
    child.stderr.on('data', (part: Buffer) => (output += part.toString()))
    const { pid } = child
    if (pid !== undefined) running.add(pid)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    }, limit_ms)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      if (isEnding) return
      if (pid !== undefined) running.delete(pid)
      resolve({ ended: isLate ? 'stopped' : (code ?? 1), output })
    })
  })
}

/** A run of the tests that is itself part of a test must not take itself for a worker of the outer one. */
const withoutVitest = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(?:VITEST|VITE_|TEST$|NODE_ENV$|MODE$|DEV$|PROD$|SSR$|BASE_URL$)/.test(name),
    ),
  )
