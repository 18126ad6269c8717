import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Says why a test has failed when it has failed, because a run that is ended from outside never comes to its report. Prints
 * "N passed, N failed, N skipped" alone on the last line, for people and machines that read only that.
 */
export default class ReportFailures implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state !== 'failed') return
    const reasons = errors.map(({ message, diff = '' }) => `${message}\n${diff}`.trimEnd())
    process.stdout.write(`\nfailed: ${test.module.relativeModuleId} > ${test.fullName}\n${reasons.join('\n')}\n\n`)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1
      // A file that cannot even load has no tests to count, and must not pass unnoticed.
      count.failed += module.errors().length
    }
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped\n`)
  }
}
