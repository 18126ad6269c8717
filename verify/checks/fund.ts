import { MILLION, toBase, toText, WHOLE } from '../amounts.ts'
import { DAY_S, dayAfter, startOf } from '../days.ts'
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
/** After losses the virtual amounts would promise more than what is there, so they are left out. */
function priceOf({ assets, shares }: State): bigint {
  const added = assets < shares ? 0n : VIRTUAL
  return ((assets + added) * WHOLE) / (shares + added)
}

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
        report.equal('fund', `${name} is the day after the last closed one`, change.closed, dayAfter(lastClose.closed))
      lastClose = change
    }
    last = change
  }
}

/**
 * The rate on home, from the two closes that it names: the newest with what was lost since, and the one seven days before it or the first
 * of all. The newest was made today as a rule, and is published when today is over, so that it may be missing among the changes.
 */
export function checkFundRate(report: Report, { fundRate, fundRateCloses }: Home, changes: readonly Change[]): void {
  const closes = changes.flatMap(({ closed, after }) => (closed === null ? [] : [{ day: closed, ...after }]))
  const [oldest, newest] = [closes[0], closes.at(-1)]
  if (fundRateCloses === null) {
    const hasNoRate = closes.length < 2 || closes.some((close) => priceOf(stateOf(close)) === 0n)
    report.equal('home', 'fund rate', fundRate ?? 'none', hasNoRate ? 'none' : 'a rate')
    return
  }
  const { first, last } = fundRateCloses
  for (const [name, close] of Object.entries(fundRateCloses)) {
    const known = closes.find(({ day }) => day === close.day)
    if (known !== undefined) {
      const shown = name === 'last' ? afterLosses(changes, known) : known
      if (name === 'last' && toBase(close.assets) < toBase(shown.assets))
        report.skipped('home', `fund rate, ${name} close`, 'a loss of today is not published yet')
      else report.equal('home', `fund rate, ${name} close`, textOf(close), textOf(shown))
    } else if (newest === undefined || close.day > newest.day)
      report.skipped(
        'home',
        `fund rate, ${name} close`,
        `the day on which ${close.day} was closed is not published yet`,
      )
    else report.differs('home', `fund rate, ${name} close`, `${close.day} is not among the published closes`)
  }
  if (newest !== undefined && last.day < newest.day)
    report.differs('home', 'fund rate, days', `${newest.day} was closed later than ${last.day}`)
  const days = daysBetween(first.day, last.day)
  const isFromFirst = days > 0 && days < RATE_DAYS && (oldest === undefined || first.day <= oldest.day)
  if (days !== RATE_DAYS && !isFromFirst) {
    report.differs('home', 'fund rate, days', `from ${first.day} to ${last.day}`)
    return
  }
  const [earlier, later] = [priceOf(stateOf(first)), priceOf(stateOf(last))]
  if (earlier === 0n) {
    report.equal('home', 'fund rate', fundRate ?? 'none', 'none')
    return
  }
  const change = later - earlier
  // A loss is shown as it was; a gain as simple interest of 365 days.
  const rate = change < 0n ? -((-change * MILLION) / earlier) : (change * 365n * MILLION) / (earlier * BigInt(days))
  report.equal('home', 'fund rate', fundRate ?? 'none', toText(rate, 6))
}

/** The fund after a close and the deficits that were published since. */
function afterLosses(changes: readonly Change[], close: { day: string; assets: string; shares: string }) {
  const since = changes.slice(changes.findIndex(({ closed }) => closed === close.day) + 1)
  const losses = since.slice(0, since.findIndex(({ reason }) => reason === 'close') >>> 0)
  return losses.at(-1)?.after ?? close
}

const daysBetween = (from: string, to: string): number => (startOf(to) - startOf(from)) / DAY_S

const textOf = ({ assets, shares }: { assets: string; shares: string }) => `${assets} for ${shares} shares`
