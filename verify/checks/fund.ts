import { MILLION, toBase, toText, WHOLE } from '../amounts.ts'
import { startOf, DAY_S } from '../days.ts'
import type { Day, Home } from '../published.ts'
import type { Report } from '../report.ts'

type Change = Day['fund'][number]
type State = { assets: bigint; shares: bigint }

/** Added to assets and shares, so that nobody can inflate the price of a nearly empty fund by a gift. */
const VIRTUAL = 10n ** 9n
const RATE_DAYS = 7

const stateOf = ({ assets, shares }: { assets: string; shares: string }): State => ({
  assets: toBase(assets),
  shares: toBase(shares),
})
const priceOf = ({ assets, shares }: State): bigint => ((assets + VIRTUAL) * WHOLE) / (shares + VIRTUAL)

/** True when the price of `later` is below that of `earlier`; nothing is rounded. */
const fell = (earlier: State, later: State): boolean =>
  (later.assets + VIRTUAL) * (earlier.shares + VIRTUAL) < (earlier.assets + VIRTUAL) * (later.shares + VIRTUAL)

/** Every change of the fund's price, in order: each follows from assets and shares, and nothing but a deficit lowers it. */
export function checkFund(report: Report, changes: readonly Change[]): void {
  let last: Change | null = null
  let lastClose: Change | null = null
  for (const change of changes) {
    const name = change.closed ?? `deficit at ${change.at}`
    const [before, after] = [stateOf(change.before), stateOf(change.after)]
    report.equal('fund', `${name} price`, change.price, toText(priceOf(after)))
    report.equal('fund', `${name} shares`, change.after.shares, change.before.shares)
    const isWrong = change.reason === 'close' ? after.assets < before.assets : after.assets >= before.assets
    if (isWrong)
      report.differs(
        'fund',
        `${name} direction`,
        `a ${change.reason} took ${change.before.assets} to ${change.after.assets}`,
      )
    else report.agrees('fund', `${name} direction`)
    if (last !== null && fell(stateOf(last.after), before))
      report.differs('fund', `${name} since the change before`, 'the price fell between two changes')
    else report.agrees('fund', `${name} since the change before`)
    if (change.reason === 'close') {
      if (lastClose !== null && change.closed !== null && lastClose.closed !== null)
        report.equal('fund', `${name} is the day after the last closed one`, change.closed, nextDay(lastClose.closed))
      lastClose = change
    }
    last = change
  }
}

const nextDay = (day: string): string => new Date((startOf(day) + DAY_S) * 1_000).toISOString().slice(0, 10)

/** The annualised rate on home, from the prices of the last closes. */
export function checkFundRate(report: Report, { fundRate }: Home, changes: readonly Change[]): void {
  const closes = changes.filter(({ reason }) => reason === 'close').slice(-1 - RATE_DAYS)
  const [first, last] = [closes[0], closes.at(-1)]
  if (!first?.closed || !last?.closed || first === last) {
    report.equal('home', 'fund rate', fundRate ?? 'none', 'none')
    return
  }
  const [earlier, later] = [priceOf(stateOf(first.after)), priceOf(stateOf(last.after))]
  const days = BigInt((startOf(last.closed) - startOf(first.closed)) / DAY_S)
  const change = later - earlier
  const size = ((change < 0n ? -change : change) * 365n * MILLION) / (earlier * days)
  report.equal('home', 'fund rate', fundRate ?? 'none', toText(change < 0n ? -size : size, 6))
}
