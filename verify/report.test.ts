import { expect, test } from 'vitest'
import { createReport, exitCode, notCheckedText } from './report.ts'

test('the code says whether anything differs, else whether anything could not be read; both are named at the end', () => {
  const report = createReport(() => undefined)
  report.agrees('fund', 'price')
  report.skipped('home', 'units', 'no day has published them')
  expect(exitCode(report.lines)).toBe(0)
  report.failed('reading', 'income', 'no answer')
  expect(exitCode(report.lines)).toBe(2)
  report.differs('fund', 'price', 'another')
  expect(exitCode(report.lines)).toBe(1)
  expect(notCheckedText(report.lines)).toBe(
    'not checked: home · units: no day has published them\nnot checked: reading · income: no answer',
  )
})
