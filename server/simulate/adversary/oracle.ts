import { worthOf } from '@candela/protocol/fund/fund'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalances } from '@candela/server/ledger/balances'
import { memberAccount } from '@candela/server/ledger/chart'
import { auditFund } from '@candela/server/modules/fund/audit-fund'
import { readFund } from '@candela/server/modules/fund/read-fund'
import { auditLoans } from '@candela/server/modules/lending/loan/audit-loans'
import type { Hex } from 'viem'
import { WHOLE } from '../run/simulation.ts'
import { call, type Economy, NORMAL_LOOK_BPS, worthAt } from './economy.ts'
import { type Measures, startMeasuring } from './measures.ts'

/** These bounds hold whatever the adversary does. All worth is counted at what the asset is worth elsewhere, in USDT base units. */

/** Rounding of every posting, together: each rounds by one unit of an asset or of a share. */
const DUST = 10n ** 6n
/**
 * While others are absent, the adversary holds a price that is in use up to a fifth away from its day's average, which follows it
 * by a 24th of that in the hour.
 */
const USABLE_BPS = 2_100n
/**
 * The desk takes and gives 1 % of the pair, net, in an hour. The average of half an hour moves twice in the hour of absence:
 * 1 % is bought low, and 2 % sold high; the hour that begins with the others' return has 1 % more.
 */
const HOURS_BPS = 400n
/** A fifth of the depth is lent, a fifth of it to one member. */
const [ALL_BPS, MEMBER_BPS] = [2_000n, 400n]
/** Interest and charges of what is lent, at most this part of it: a year at 12 %, 60 days late at 0.05 %. */
const CHARGES_BPS = 1_500n
/** A loan at its line waits so long while spot is away from the median. */
const WAIT_S = 600
const BPS = 10_000n
/** Spot counts this far from the median. */
const AWAY_BPS = 1_000n
/** Prices are rounded down at several places. */
const [ALMOST, PPM] = [999_999n, 1_000_000n]

type Holdings = { usdt: bigint; asset: bigint; shares: bigint; worth: bigint }

/** Reads what the adversary has: outside, in the pair, in its wallets, on its accounts, in the fund, and in loans less what it owes. */
export async function readHoldings(economy: Economy): Promise<Holdings> {
  const { simulation, accounts, asset, market, purse, provided, fair } = economy
  const { db } = simulation
  const names = ['memberAvailable', 'memberHeld'] as const
  const of = (code: 'USDT' | typeof asset) =>
    accounts.flatMap(({ memberId }) => names.map((name) => memberAccount(memberId, name, code)))
  const sharesOf = accounts.map(({ memberId }) => memberAccount(memberId, 'memberShares', 'SHARE'))
  // Read at once: this is done in each block.
  const balances = await accountBalances(db, [...of('USDT'), ...of(asset), ...sharesOf])
  const [usdt, assets, shares] = [0, 2, 4].map((from) =>
    sum(balances.slice(from * accounts.length, (from + 2) * accounts.length)),
  )
  const loans = (await openLoans(economy)).filter(({ isAdverse }) => isAdverse)
  const inPair = market.partOf(provided)
  const { state } = simulation.chain.head
  const inWallets = (code: 'USDT' | typeof asset) =>
    sum(accounts.map(({ signer }) => state.balance(code, signer.address.toLowerCase() as Hex)))
  const outside = {
    usdt: purse.usdt + inPair.usdt + inWallets('USDT'),
    asset: purse.asset + inPair.asset + inWallets(asset),
    shares: 0n,
  }
  // The claims contain what was owed.
  if (economy.hasExited) return { ...outside, worth: worthAt(outside, fair) }
  const held = {
    usdt: outside.usdt + (usdt ?? 0n) - sum(loans.map(({ debt }) => debt)),
    asset: outside.asset + (assets ?? 0n) + sum(loans.map(({ collateral }) => collateral)),
    shares: shares ?? 0n,
  }
  return { ...held, worth: worthAt(held, fair) + worthOf(held.shares, await readFund(db)) }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((one, other) => one + other, 0n)
const least = (...amounts: readonly [bigint, ...bigint[]]): bigint =>
  amounts.reduce((one, other) => (other < one ? other : one))

type OpenLoan = Awaited<ReturnType<typeof openLoans>>[number]

async function openLoans({ simulation: { db }, asset, accounts }: Economy) {
  const rows = await db
    .selectFrom('loan_with_debt')
    .selectAll()
    .where('closed_at', 'is', null)
    .where('collateral_asset', '=', asset)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    loanNo: row.loan_no,
    memberId: row.member_id,
    isAdverse: accounts.some(({ memberId }) => memberId === row.member_id),
    principal: row.principal,
    debt: row.principal + row.interest_charged - row.interest_paid + row.late_charged - row.late_paid,
    collateral: row.collateral,
    clearing: BigInt(row.clearing_ppm),
  }))
}

/** The part of a debt that is beyond its line at a price, in millionths of USDT base units; below zero where it is not at its line. */
const beyondLine = (
  { debt, collateral, clearing }: Pick<OpenLoan, 'debt' | 'collateral' | 'clearing'>,
  price: bigint,
) => debt * PPM - (clearing * collateral * price) / WHOLE

const readSales = ({ simulation: { db }, asset }: Economy, after: bigint) =>
  db
    .selectFrom('loan_liquidation as q')
    .innerJoin('loan as l', 'l.id', 'q.loan_id')
    .select([
      'q.id',
      'q.loan_id',
      'l.loan_no',
      'l.clearing_ppm',
      'q.reason',
      'q.sale_price',
      'q.collateral',
      'q.fund_lost',
      'q.reserve_paid',
    ])
    .select((eb) => [eb('q.principal', '+', eb('q.interest', '+', eb.ref('q.charges'))).as('debt')])
    .where('l.collateral_asset', '=', asset)
    .where('q.id', '>', after)
    .orderBy('q.id')
    .execute()

const refusalsOf = ({ answers }: Economy) => Object.entries(answers).filter(([answer]) => /\d$/.test(answer))

/** Watches an economy from here on. */
export async function watchEconomy(economy: Economy) {
  const { simulation, findings, pair } = economy
  const { db } = simulation
  const found = (text: string) => {
    if (!findings.includes(text)) findings.push(text)
  }
  const before = await readHoldings(economy)
  const lostBefore = economy.lostToOthers
  const sharePrice = async () => {
    const { assets, shares } = await readFund(db)
    return shares === 0n ? 0n : (assets * WHOLE) / shares
  }
  const firstSharePrice = await sharePrice()
  /** The gain by holding the asset while its worth moved, and by holding shares for whole days. */
  let deserved = 0n
  let fewestShares = before.shares
  let lastSale = 0n
  let deepest = 0n
  let isHeldDown = false
  let lostInAll = 0n
  const atLineSince = new Map<bigint, number>()
  const measure = startMeasuring()
  const areAbsent = economy.absent_s > 0
  const isSlow = economy.lookBps !== NORMAL_LOOK_BPS

  economy.onFair = async (by) => {
    const { asset, shares } = await readHoldings(economy)
    deserved += (asset * by) / WHOLE
    if (shares < fewestShares) fewestShares = shares
  }
  economy.onClose = async (close) => {
    const fund = await readFund(db)
    const { shares } = await readHoldings(economy)
    await close()
    const gained = worthOf(shares, await readFund(db)) - worthOf(shares, fund)
    // A member that came in during the day has paid for its interest before, and gets that back.
    if (shares > 0n) deserved += gained
    if (shares > fewestShares) deserved -= (gained * (shares - fewestShares)) / shares
    fewestShares = shares
  }
  economy.onBlock = async () => {
    const measures = measure(economy.seen)
    const [loans, sales] = [await openLoans(economy), await readSales(economy, lastSale)]
    lastSale = sales.at(-1)?.id ?? lastSale
    for (const { loanNo, debt, collateral } of loans) simulation.trace(loanNo, debt, collateral)
    for (const { reason } of sales) economy.answers[`sold: ${reason}`] = (economy.answers[`sold: ${reason}`] ?? 0) + 1
    checkCeilings(loans, measures)
    checkSales(loans, sales, measures)
    checkWaits(loans, sales, measures)
    // A loan at its line is sold at the median, also while somebody holds it down for minutes.
    if (measures.median * BPS < economy.fair * (BPS - AWAY_BPS)) isHeldDown = true
    // A loan that is sold in many small parts may come too late.
    if (!isHeldDown && !isSlow && (await sharePrice()) < firstSharePrice) found('the fund has lost')
    const lost = sum(sales.map(({ fund_lost, reserve_paid }) => fund_lost + reserve_paid))
    lostInAll += lost
    if (lostInAll > lossBound()) found(`the fund and the reserve have lost ${fromBaseUnits(lostInAll)}`)
  }

  /** In any case no more is lost than what is lent on the asset, with its interest and charges. */
  const lossBound = () => (deepest * ALL_BPS * (BPS + CHARGES_BPS)) / BPS ** 2n

  function checkCeilings(loans: readonly OpenLoan[], { depth }: Measures): void {
    // Debt that was lent before stays.
    if (depth > deepest) deepest = depth
    const owed = new Map<bigint, bigint>()
    for (const { memberId, principal } of loans) owed.set(memberId, (owed.get(memberId) ?? 0n) + principal)
    for (const [memberId, principal] of owed)
      if (principal > (deepest * MEMBER_BPS) / BPS)
        found(`member ${memberId} owes ${fromBaseUnits(principal)}, more than its part of the ceiling`)
    const all = sum([...owed.values()])
    if (all > (deepest * ALL_BPS) / BPS) found(`${fromBaseUnits(all)} are lent, more than the ceiling`)
  }

  function checkSales(
    loans: readonly OpenLoan[],
    sales: Awaited<ReturnType<typeof readSales>>,
    { spot, median, halfHour, lowestDay }: Measures,
  ): void {
    const nearest = (median * (BPS - AWAY_BPS)) / BPS
    const lowest = least(spot > nearest ? spot : nearest, halfHour, lowestDay)
    const atLine = sales.filter(({ reason }) => reason === 'line')
    for (const sale of sales) {
      const { sale_price: paid, loan_no: loanNo } = sale
      if (paid * PPM < lowest * ALMOST)
        found(`collateral of ${loanNo} was sold at ${fromBaseUnits(paid)}, and the pair says ${fromBaseUnits(lowest)}`)
    }
    const beyond = atLine.map((sale) => beyondLine({ ...sale, clearing: BigInt(sale.clearing_ppm) }, median))
    for (const [nth, missing] of beyond.entries())
      if (missing * PPM < -(atLine[nth]?.debt ?? 0n)) found('a loan was liquidated that was not at its line')
    // Each loan waits for itself while spot is away.
    const isAway = (spot - median) ** 2n * BPS ** 2n > (median * AWAY_BPS) ** 2n
    const sold = new Set(sales.map(({ loan_id }) => loan_id))
    const left = isAway ? [] : loans.filter(({ id }) => !sold.has(id)).map((loan) => beyondLine(loan, median))
    const largest = left.reduce((one, other) => (other > one ? other : one), 0n)
    // The debts that are left have none of the charges of today.
    if (beyond.some((missing) => missing < largest)) found('small loans were sold before a large one')
  }

  function checkWaits(
    loans: readonly OpenLoan[],
    sales: Awaited<ReturnType<typeof readSales>>,
    { median }: Measures,
  ): void {
    const now = simulation.chain.head.timestamp
    const open = new Set(loans.map(({ id }) => id))
    const sold = new Set(sales.map(({ loan_id }) => loan_id))
    for (const id of atLineSince.keys()) if (!open.has(id)) atLineSince.delete(id)
    for (const loan of loans) {
      // The amount that the pair bears in this look went to those that are farther beyond their line.
      const waitsForOthers = isSlow && sales.length > 0
      if (sold.has(loan.id) || waitsForOthers || beyondLine(loan, median) < 0n) atLineSince.delete(loan.id)
      else if (!atLineSince.has(loan.id)) atLineSince.set(loan.id, now)
      else if (now - (atLineSince.get(loan.id) ?? now) > WAIT_S) found('a loan at its line is kept from being sold')
    }
  }

  /** A command of the honest, which may be refused with these codes only. */
  async function mayDo(what: string, done: Promise<unknown>, documented: readonly number[]): Promise<void> {
    const earlier = new Map(refusalsOf(economy))
    await done
    for (const [answer, count] of refusalsOf(economy))
      if (count > (earlier.get(answer) ?? 0) && !documented.some((code) => answer.endsWith(String(code))))
        found(`the honest cannot ${what}: ${answer}`)
  }

  return {
    /** The gain besides, which must not be more than is documented. */
    async gain(): Promise<bigint> {
      return (await readHoldings(economy)).worth + economy.lostToOthers - lostBefore - before.worth - deserved
    },
    /** The honest close a hundredth of a position, repay, and take something out of the fund. */
    async letHonestAct(): Promise<void> {
      const { levered, borrower, lender } = economy.honest
      const loans = await openLoans(economy)
      const of = (member: bigint) => loans.find(({ memberId }) => memberId === member)?.loanNo
      const [open, owed] = [of(levered), of(borrower)]
      // While the price is paused, only who could be liquidated closes.
      if (open !== undefined) {
        const close = { loanNo: open, percent: 1, minProceeds: 1n }
        await mayDo('close', call(economy, levered, 'POST lever/close', close), [5031])
      }
      if (owed !== undefined) {
        const repayment = { loanNo: owed, mode: 'amount', amount: WHOLE } as const
        await mayDo('repay', call(economy, borrower, 'POST lending/repay', repayment), [])
      }
      await mayDo('leave the fund', call(economy, lender, 'POST finance/transferOut', { amount: WHOLE }), [4306])
    },
    async check(): Promise<void> {
      const gain = await this.gain()
      // Money that moved to another account after the attested block, and was paid out there, is claimed by the leaf of the first one.
      const bound = DUST + economy.paidSinceAttested + (areAbsent ? (pair * HOURS_BPS * USABLE_BPS) / BPS ** 2n : 0n)
      if (gain > bound)
        found(`the adversary gained ${fromBaseUnits(gain)}, ${(gain * BPS) / pair} in 10,000 of the pair`)
      const audits = [await auditLedger(db), await auditLoans(db), await auditFund(db)]
      for (const difference of audits.flat())
        found(
          `audit: ${JSON.stringify(difference, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`,
        )
    },
  }
}
