import { expect, test } from 'vitest'
import { toBase, toText } from './amounts.ts'
import { checkStatement, readCsv } from './checks/own-files.ts'
import { createReport } from './report.ts'
import { isDay } from './days.ts'

test('amounts are exact in both directions', () => {
  for (const text of ['0', '1', '12.5', '-0.000000000000000001', '340282366920938463463.374607431768211455'])
    expect(toText(toBase(text))).toBe(text)
  expect(toBase('0.05', 6)).toBe(50_000n)
  expect(() => toBase('1e3')).toThrow(SyntaxError)
  expect(() => toBase('0.0000001', 6)).toThrow(SyntaxError)
})

test('days that there are', () => {
  expect([isDay('2026-11-22'), isDay('2026-02-30'), isDay('2026-1-2'), isDay('today')]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('cells of a CSV file with quotes, commas and line breaks', () => {
  expect(readCsv('\uFEFFa,b\r\n"1,5","say ""hi""\nthere"\r\n')).toEqual([
    ['a', 'b'],
    ['1,5', 'say "hi"\nthere'],
  ])
})

const linesOf = (text: string) => {
  const report = createReport(() => {})
  checkStatement(report, text)
  return report.lines.map(({ subject, result }) => `${subject}: ${result}`)
}

test('a statement for people follows line by line, and its sums are those of its lines, in both forms that there are', () => {
  const headings = 'a,b,c,d,e,f,g,h,i,j,k'
  const lines = [
    '2026-03-02 00:00:01,2026-03-01 23:59:59,Deposit,Available,USDT,USDT 2.0000004,2,USDT 2.5000008,,,',
    '2026-03-01 00:00:01,2026-03-01 00:00:01,Deposit,Available,USDT,USDT 0.5000004,0.5,USDT 0.5000004,,,',
  ]
  const file = (sum: string, number: string) =>
    [headings, ...lines, `Sum,,,,USDT,USDT ${sum},${number}`, ''].join('\r\n')
  expect(linesOf(file('2.5000008', '2.5'))).toEqual([
    'USDT Available: agrees',
    'sum of USDT: agrees',
    'column of USDT: agrees',
  ])
  expect(linesOf(file('2.5', '2.500001'))).toContain('sum of USDT: differs')
  expect(linesOf(file('2.5000008', '2.500001'))).toContain('column of USDT: differs')
  expect(linesOf(file('2.5000008', '2.5').replace('USDT 2.5000008,,', 'USDT 2.5,,'))).toContain(
    'USDT Available: differs',
  )
  const before = [
    't,k,a,s,m,b,n,c,x',
    '2026-03-01T00:00:01.000Z,Deposit,Available,USDT,5,7,,,',
    '2026-03-01T00:00:00.000Z,Deposit,Available,USDT,2,2,,,',
    '',
  ]
  expect(linesOf(before.join('\r\n'))).toEqual(['USDT Available: agrees'])
  expect(linesOf(before.join('\r\n').replace(',5,7,', ',5,8,'))).toEqual(['USDT Available: differs'])
})

const exactFile = (opening: string, closing: string) =>
  [
    'candela-statement,1',
    'period,2026-03-01T00:00:00.000Z,2026-03-02T00:00:00.000Z',
    `closing,available,USDT,${closing}`,
    'closing,held,USDT,4',
    'line,id,bookedAt,valueAt,kind,part,account,asset,amount,balance',
    'line,b-1,2026-03-01T00:00:01.000Z,2026-03-01T00:00:01.000Z,deposit,,available,USDT,5,7',
    `opening,available,USDT,${opening}`,
    'opening,held,USDT,4',
    'end',
    '',
  ].join('\r\n')

test('a statement for programs goes from the opening balances to the closing ones', () => {
  expect(linesOf(exactFile('2', '7'))).toEqual(['USDT available: agrees', 'USDT held: agrees'])
  expect(linesOf(exactFile('2.000000000000000001', '7'))[0]).toBe('USDT available: differs')
  expect(linesOf(exactFile('2', '7.1'))[0]).toBe('USDT available: differs')
  expect(linesOf(exactFile('2', '7').replace('closing,held,USDT,4', 'closing,held,USDT,5'))).toContain(
    'USDT held: differs',
  )
})
