import type { Reporter, TestCase, TestModule, TestSpecification, TestSuite } from 'vitest/node'

/** A file that takes less is counted together with others like it. */
const SHORT_S = 1

/**
 * Says how far the run is, why a test has failed when it has failed (a run that is ended from outside never comes to its
 * report), and at the end what was skipped and how long each file took. Prints "N passed, N failed, N skipped" alone on the
 * last line, for people and machines that read only that.
 */
export default class TestReport implements Reporter {
  #began_ms = 0
  #files = 0
  #ended = 0

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#began_ms = performance.now()
    ;[this.#files, this.#ended] = [specifications.length, 0]
    const projects = new Set(specifications.map(({ project }) => project.name))
    print(`${this.#files} files of ${[...projects].join(', ')}`)
  }

  onTestModuleEnd(): void {
    const tenth = () => Math.floor((10 * this.#ended) / this.#files)
    const before = tenth()
    this.#ended += 1
    if (tenth() > before && this.#files >= 10)
      print(`— ${this.#ended} of ${this.#files} files after ${seconds(performance.now() - this.#began_ms)} s`)
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state !== 'failed') return
    const reasons = errors.map(({ message, diff = '' }) => `${message}\n${diff}`.trimEnd())
    print(`\nfailed: ${test.module.relativeModuleId} > ${test.fullName}\n${reasons.join('\n')}\n`)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const test of tests) count[test.result().state] += 1
    // A file that cannot even load has no tests to count, and must not pass unnoticed.
    for (const module of modules) count.failed += module.errors().length
    for (const line of [...durations(modules), ...whatWasSkipped(tests)]) print(line)
    print(`${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`)
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (ms: number): string => (ms / 1000).toFixed(0)

/** Lists what each file took, with its imports, slowest first. Files run beside each other, so that the sum says little. */
function durations(modules: readonly TestModule[]): string[] {
  const files = modules
    .map((module) => ({ name: module.relativeModuleId, s: duration_ms(module) / 1000 }))
    .toSorted((one, other) => other.s - one.s)
  const long = files.filter(({ s }) => s >= SHORT_S)
  const rest = files.length - long.length
  if (files.length === 1) return []
  return [
    'Seconds of each file, slowest first:',
    ...long.map(({ name, s }) => `${s.toFixed(0).padStart(5)} ${name}`),
    ...(rest > 0 ? [`      and ${rest} of less than a second`] : []),
  ]
}

function duration_ms(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic()
  return collectDuration + duration
}

/** Lists what was skipped in each file, with the reason, and the command that installs what it needs. */
function whatWasSkipped(tests: readonly TestCase[]): string[] {
  const skipped = tests.flatMap((test) => {
    const result = test.result()
    if (result.state !== 'skipped') return []
    const needs = needsOf(test)
    const why = needs.length > 0 ? `needs ${needs.join(', ')}` : (result.note ?? 'no reason given')
    return [{ name: test.fullName, needs, line: `${test.module.relativeModuleId}: ${why}` }]
  })
  if (skipped.length === 0) return []
  const packages = [...new Set(skipped.flatMap(({ needs }) => needs))].toSorted()
  const lines = [...Map.groupBy(skipped, ({ line }) => line)].map(([line, [first, ...others]]) =>
    others.length === 0 ? `      ${line} (${first?.name})` : `      ${line} (${others.length + 1} tests)`,
  )
  if (packages.length > 0) lines.push(`On Debian: apt-get install --no-install-recommends ${packages.join(' ')}`)
  return ['Skipped:', ...lines]
}

/** The packages that a test lacks: its own, or those of a group that it is in. */
function needsOf(test: TestCase): readonly string[] {
  const above = (task: TestCase | TestSuite): readonly string[] =>
    task.meta().needs ?? (task.parent.type === 'suite' ? above(task.parent) : [])
  return above(test)
}
