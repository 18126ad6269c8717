import { MILLION, sum, toBase, toText } from '../amounts.ts'
import type { ChainFacts } from '../sources/chain-facts.ts'
import { isDay } from '../days.ts'
import type { Home, IncomeDay } from '../published.ts'
import { grouped } from '../grouped.ts'
import type { Report } from '../report.ts'

/** More deposits of a day are not listed one by one. */
const MAX_LISTED = 50

/** The amount that a day shares: its revenue and what earlier days left; nothing without revenue of its own. */
const poolOf = (revenue: bigint, carriedIn: bigint): bigint => (revenue === 0n ? 0n : revenue + carriedIn)

/**
 * A closed day: its deposits are on chain and make its revenue, the fees follow from the plans' rates and units, what was
 * paid is what all holders' shares can be, and nothing of the revenue is unaccounted for.
 * @param before the closed day before it; null for the first one
 */
export function checkIncomeDay(report: Report, chain: ChainFacts, day: IncomeDay, before: IncomeDay | null): void {
  const check = (what: string, published: bigint, computed: bigint) =>
    report.equal('income', `${day.day} ${what}`, toText(published), toText(computed))
  const [revenue, carriedIn, fee, paid] = [day.revenue, day.carriedIn, day.fee, day.paid].map((text) =>
    toBase(text),
  ) as [bigint, bigint, bigint, bigint]
  if (day.deposits.length < MAX_LISTED) check('revenue', revenue, sum(day.deposits.map(({ amount }) => toBase(amount))))
  else report.skipped('income', `${day.day} revenue`, 'more deposits than are listed')
  for (const deposit of day.deposits) checkDeposit(report, chain, day.day, deposit)
  check('carried over', carriedIn, before === null ? 0n : toBase(before.carriedOut))
  check('left over', toBase(day.carriedOut), revenue + carriedIn - fee - paid)
  const units = BigInt(day.totalUnits)
  report.equal('income', `${day.day} units`, units, sum(day.plans.map((plan) => BigInt(plan.units))))
  const pool = poolOf(revenue, carriedIn)
  const shareOf = (count: number, rate: bigint) =>
    units === 0n ? 0n : (pool * rate * BigInt(count)) / (MILLION * units)
  for (const plan of day.plans)
    check(`fee of plan ${plan.planId}`, toBase(plan.fee), shareOf(plan.units, toBase(plan.feeRate, 6)))
  check('fees', fee, sum(day.plans.map((plan) => toBase(plan.fee))))
  // Each account's share of each plan is rounded down on its own.
  const most = sum(day.plans.map((plan) => shareOf(plan.units, MILLION - toBase(plan.feeRate, 6))))
  const least = most - BigInt(day.accounts * Math.max(1, day.plans.length))
  const isPossible = paid <= most && paid >= (least < 0n ? 0n : least)
  if (isPossible) report.agrees('income', `${day.day} paid`, toText(paid))
  else
    report.differs(
      'income',
      `${day.day} paid`,
      `published ${toText(paid)}, computed ${toText(least)} to ${toText(most)}`,
    )
}

function checkDeposit(
  report: Report,
  { payments }: ChainFacts,
  day: string,
  deposit: IncomeDay['deposits'][number],
): void {
  const subject = `${day} deposit ${deposit.txHash}`
  const found = payments.find(
    (one) =>
      one.txHash === deposit.txHash.toLowerCase() &&
      one.asset === 'HASH' &&
      one.remark === `revenue:${deposit.forDay}` &&
      one.amount === toBase(deposit.amount) &&
      one.payer === deposit.payer &&
      one.blockNumber === deposit.blockNumber,
  )
  if (found === undefined) report.differs('income', subject, 'the chain has no such payment')
  else if (deposit.forDay > day) report.differs('income', subject, `it was paid for ${deposit.forDay}`)
  else report.agrees('income', subject, deposit.amount)
}

/** Each deposit is shared on one day, and what was paid on chain for a closed day is shared. */
export function checkDepositsOnce(report: Report, { payments }: ChainFacts, days: readonly IncomeDay[]): void {
  const listed = days.flatMap(({ deposits }) =>
    deposits.map(({ txHash, forDay, amount }) => `${txHash} ${forDay} ${amount}`),
  )
  const counted = grouped(listed, (one) => one)
  const onChain = grouped(
    payments.filter(({ asset, remark }) => asset === 'HASH' && remark.startsWith('revenue:')),
    (one) => `${one.txHash} ${one.remark.slice('revenue:'.length)} ${toText(one.amount)}`,
  )
  const twice = [...counted].filter(([key, each]) => each.length > (onChain.get(key)?.length ?? 0)).map(([key]) => key)
  report.equal('income', 'deposits that are shared more often than they were paid', 'none', twice.join('; ') || 'none')
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined || days.some(({ deposits }) => deposits.length >= MAX_LISTED)) return
  const missing = [...onChain]
    .filter(([, [one]]) => {
      const forDay = one?.remark.slice('revenue:'.length) ?? ''
      // A deposit that came after the close of its day is shared later.
      return isDay(forDay) && forDay >= first.day && forDay < last.day
    })
    .filter(([key]) => !counted.has(key))
    .map(([key]) => key)
  report.equal('income', 'deposits for closed days that no day has shared', 'none', missing.join('; ') || 'none')
}

/**
 * Checks what home says of the last closed day. Home is read before the days, so that a day may have been closed in between.
 * @param days those that are closed, in their order
 */
export function checkYesterday(report: Report, { yesterday }: Home, days: readonly IncomeDay[]): void {
  const last = days.at(-1)
  const named = days.find(({ day }) => day === yesterday?.day)
  const isBefore = named !== undefined && named === days.at(-2)
  if (isBefore) report.skipped('home', 'last closed day', `${last?.day} was closed later, perhaps after home was read`)
  else report.equal('home', 'last closed day', yesterday?.day ?? 'none', last?.day ?? 'none')
  if (yesterday === null || named === undefined) return
  report.equal('home', 'revenue', yesterday.revenue, named.revenue)
  const units = BigInt(named.totalUnits)
  const each = units === 0n ? 0n : toBase(named.paid) / units
  report.equal('home', 'output per unit', yesterday.outputPerUnit, toText(each))
}
