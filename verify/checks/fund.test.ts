import { expect, test } from 'vitest'
import type { Day, Home } from '../published.ts'
import { createReport, lineText } from '../report.ts'
import { checkFund, checkFundRate } from './fund.ts'

/** The fund earns 1 on each day; 1,000 shares. */
const SHARES = '1000'
const dayText = (day: number) => `2026-03-${String(day).padStart(2, '0')}`
const closeOf = (day: number) => ({ day: dayText(day), assets: String(1_000 + day), shares: SHARES })

function changeOf(day: number): Day['fund'][number] {
  const { assets, shares } = closeOf(day)
  const before = { assets: String(999 + day), shares }
  return {
    reason: 'close',
    closed: dayText(day),
    at: `${dayText(day + 1)}T00:10:00.000Z`,
    before,
    after: { assets, shares },
    price: '1',
  }
}

/** Closes of the days 1 to 9 are published, and home names those of 3 and 10: the last was made on a day that is not over. */
const published = Array.from({ length: 9 }, (_, day) => changeOf(day + 1))
const honest = { fundRate: '0.363908', fundRateCloses: { first: closeOf(3), last: closeOf(10) } }

function findings(home: Pick<Home, 'fundRate' | 'fundRateCloses'>, changes: Day['fund'] = published): string[] {
  const report = createReport(() => undefined)
  checkFundRate(report, home as Home, changes)
  return report.lines.filter(({ result }) => result !== 'agrees').map(lineText)
}

const missing = ['skipped  home · fund rate, last close: the day on which 2026-03-10 was closed is not published yet']

test('the newest close was made today and is not published yet: the rate is computed from what home names', () => {
  expect(findings(honest)).toEqual(missing)
  expect(findings(honest, [...published, changeOf(10)])).toEqual([])
})

test('another rate than that of the two closes', () => {
  expect(findings({ ...honest, fundRate: '0.363909' })).toEqual([
    ...missing,
    'DIFFERS  home · fund rate: published 0.363909, computed 0.363908',
  ])
})

test('a close that was published with other figures', () => {
  const first = { ...closeOf(3), assets: '1002' }
  expect(findings({ fundRate: '0.059450', fundRateCloses: { ...honest.fundRateCloses, first } })).toContain(
    'DIFFERS  home · fund rate, first close: published 1002 for 1000 shares, computed 1003 for 1000 shares',
  )
})

test('other days than the last seven', () => {
  const last = closeOf(10)
  for (const day of [2, 4, 9])
    expect(findings({ ...honest, fundRateCloses: { first: closeOf(day), last } })).toContain(
      `DIFFERS  home · fund rate, days: from ${dayText(day)} to 2026-03-10`,
    )
  const older = { first: closeOf(1), last: closeOf(8) }
  expect(findings({ ...honest, fundRateCloses: older })).toContain(
    'DIFFERS  home · fund rate, days: 2026-03-09 was closed later than 2026-03-08',
  )
  const without = published.filter(({ closed }) => closed !== dayText(3))
  expect(findings(honest, without)).toContain(
    'DIFFERS  home · fund rate, first close: 2026-03-03 is not among the published closes',
  )
})

test('of a fund that is younger than seven days, from its first close on', () => {
  const home = { fundRate: '0.364635', fundRateCloses: { first: closeOf(1), last: closeOf(4) } }
  expect(findings(home, published.slice(0, 4))).toEqual([])
  const later = { ...home, fundRateCloses: { first: closeOf(2), last: closeOf(4) } }
  expect(findings(later, published.slice(0, 4))).toContain(
    'DIFFERS  home · fund rate, days: from 2026-03-02 to 2026-03-04',
  )
})

test('from a price of 0 there is no rate, whatever a service says', () => {
  const first = { day: dayText(3), assets: '0', shares: '1000000000000000000' }
  expect(findings({ ...honest, fundRateCloses: { ...honest.fundRateCloses, first } })).toContain(
    'DIFFERS  home · fund rate: published 0.363908, computed none',
  )
})

test('no rate, as long as there is one close or a share was worth nothing', () => {
  const none = { fundRate: null, fundRateCloses: null }
  expect(findings(none, published.slice(0, 1))).toEqual([])
  expect(findings(none)).toEqual(['DIFFERS  home · fund rate: published none, computed a rate'])
  const lost = { ...changeOf(1), after: { assets: '0', shares: '1000000000000000000' } }
  expect(findings(none, [lost, ...published.slice(1)])).toEqual([])
})

test('after a loss the rate is the change of the price, with what was lost since the newest close', () => {
  const after = { assets: '927', shares: SHARES }
  const deficit: Day['fund'][number] = {
    reason: 'deficit',
    closed: null,
    at: '2026-03-11T08:00:00.000Z',
    before: { assets: '1010', shares: SHARES },
    after,
    price: '0.927',
  }
  const withLoss = [...published, changeOf(10), deficit]
  const home = { fundRate: '-0.075772', fundRateCloses: { first: closeOf(3), last: { day: dayText(10), ...after } } }
  expect(findings(home, withLoss)).toEqual([])
  expect(findings({ ...home, fundRate: '-3.951007' }, withLoss)).toEqual([
    'DIFFERS  home · fund rate: published -3.951007, computed -0.075772',
  ])
  // A service that leaves the loss out is found, once the day of the loss is published; before that nobody can know of it.
  expect(findings(honest, withLoss)).toEqual([
    'DIFFERS  home · fund rate, last close: published 1010 for 1000 shares, computed 927 for 1000 shares',
  ])
  expect(findings(home, [...published, changeOf(10)])).toEqual([
    'skipped  home · fund rate, last close: a loss of today is not published yet',
  ])
})

/** Finds the faults of a loss that is published with this price. */
function findingsOfPrice(price: string): string[] {
  const loss: Day['fund'][number] = {
    reason: 'deficit',
    closed: null,
    at: '2026-03-11T08:00:00.000Z',
    before: { assets: '1000', shares: SHARES },
    after: { assets: '275.715337084336331', shares: SHARES },
    price,
  }
  const report = createReport(() => undefined)
  checkFund(report, [loss])
  return report.lines.filter(({ result }) => result !== 'agrees').map(lineText)
}

test('the price of a change below 1 USDT is what a share is worth', () => {
  expect(findingsOfPrice('0.275715337084336331')).toEqual([])
  expect(findingsOfPrice('0.275715337085060616')).toHaveLength(1)
})
