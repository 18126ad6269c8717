import { expect, test } from 'vitest'
import { createReport, lineText } from '../report.ts'
import { checkLoan, loanForm } from './own-files.ts'

const line = (part: string, kind: string, amount: string, balance: string, day: string | null, at: string) => ({
  part,
  kind,
  amount,
  balance,
  day,
  at: `${at}T12:00:00.000Z`,
})

/** 365 USDT at 10 %: a tenth of a USDT a day; 165 are repaid on the third day. */
const loanOf = (second = '0.1', sum = '0.2', all = '0.254794520547945206') => ({
  loan: { loanNo: 'L1', lent: '365', principal: '200', principalRepaid: '165', collateral: '1', rate: '0.1' },
  entries: [
    line('interest', 'interest', '0.054794520547945206', all, '2026-03-04', '2026-03-04'),
    line('principal', 'repayment', '-165', '200', null, '2026-03-03'),
    line('interest', 'interest', second, sum, '2026-03-03', '2026-03-03'),
    line('interest', 'interest', '0.01', '0.1', '2026-03-02', '2026-03-01'),
    line('interest', 'interest', '0.09', '0.09', '2026-03-02', '2026-03-01'),
    line('principal', 'loan', '365', '365', null, '2026-03-01'),
    line('collateral', 'pledge', '1', '1', null, '2026-03-01'),
  ],
})

function findings(file: unknown): string[] {
  const report = createReport(() => undefined)
  checkLoan(report, loanForm.parse(file))
  return report.lines.filter(({ result }) => result !== 'agrees').map(lineText)
}

test('interest of each day is that of what was owed when the day before ended', () => {
  expect(findings(loanOf())).toEqual([])
})

test('a base unit too much on one day, with balances that follow, is noticed', () => {
  const found = findings(loanOf('0.100000000000000001', '0.200000000000000001', '0.254794520547945207'))
  expect(found).toEqual(['DIFFERS  own loan · L1 interest: it does not follow from the principal on 2026-03-03'])
})

test('a day that is charged twice, and interest without a line, are noticed', () => {
  const twice = loanOf()
  twice.entries.splice(2, 0, line('interest', 'interest', '0.1', '0.3', '2026-03-03', '2026-03-03'))
  expect(findings(twice)).toContain(
    'DIFFERS  own loan · L1 interest: it does not follow from the principal on 2026-03-03',
  )
  const none = { ...loanOf(), entries: loanOf().entries.filter(({ kind }) => kind !== 'interest') }
  expect(findings(none)).toHaveLength(1)
})

test('days that a payment on chain changed afterwards are named as not checked', () => {
  const file = loanOf()
  file.entries.unshift(
    line('interest', 'interest-correction', '-0.1', '0.154794520547945206', '2026-03-03', '2026-03-05'),
  )
  expect(findings(file)).toEqual([
    'skipped  own loan · L1 interest: a payment counts from a block before it was credited, which changed days afterwards',
  ])
})
