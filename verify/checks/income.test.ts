import { expect, test } from 'vitest'
import type { Home, IncomeDay } from '../published.ts'
import { createReport, lineText } from '../report.ts'
import { checkYesterday } from './income.ts'

const closedDay = (day: string, revenue: string, paid: string) =>
  ({ day, revenue, paid, totalUnits: 4 }) as unknown as IncomeDay
const days = [
  closedDay('2026-03-01', '10', '8'),
  closedDay('2026-03-02', '20', '18'),
  closedDay('2026-03-03', '30', '27'),
]

function findings(yesterday: Home['yesterday'], of: readonly IncomeDay[] = days): string[] {
  const report = createReport(() => undefined)
  checkYesterday(report, { yesterday } as Home, of)
  return report.lines.filter(({ result }) => result !== 'agrees').map(lineText)
}

test('home says what the last closed day was', () => {
  expect(findings({ day: '2026-03-03', revenue: '30', outputPerUnit: '6.75' })).toEqual([])
  expect(findings({ day: '2026-03-03', revenue: '31', outputPerUnit: '6.76' })).toEqual([
    'DIFFERS  home · revenue: published 31, computed 30',
    'DIFFERS  home · output per unit: published 6.76, computed 6.75',
  ])
  expect(findings(null, [])).toEqual([])
  expect(findings(null)).toEqual(['DIFFERS  home · last closed day: published none, computed 2026-03-03'])
})

test('a day that was closed after home was read is no difference; the day that home names is compared', () => {
  const later = 'skipped  home · last closed day: 2026-03-03 was closed later, perhaps after home was read'
  expect(findings({ day: '2026-03-02', revenue: '20', outputPerUnit: '4.5' })).toEqual([later])
  expect(findings({ day: '2026-03-02', revenue: '21', outputPerUnit: '4.5' })).toEqual([
    later,
    'DIFFERS  home · revenue: published 21, computed 20',
  ])
  for (const day of ['2026-03-01', '2026-03-04'])
    expect(findings({ day, revenue: '10', outputPerUnit: '2' })).toContain(
      `DIFFERS  home · last closed day: published ${day}, computed 2026-03-03`,
    )
})
