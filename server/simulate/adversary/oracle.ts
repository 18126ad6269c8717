import { worthOf } from '@candela/protocol/fund/fund'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { auditLedger } from '@candela/server/ledger/audit'
import { accountBalances } from '@candela/server/ledger/balances'
import { memberAccount } from '@candela/server/ledger/chart'
import { auditFund } from '@candela/server/modules/fund/audit-fund'
import { readFund } from '@candela/server/modules/fund/read-fund'
import { auditLoans } from '@candela/server/modules/lending/loan/audit-loans'
import { WHOLE } from '../run/simulation.ts'
import { call, type Economy, NORMAL_LOOK_BPS } from './economy.ts'

/** What must hold whatever the adversary does. All worth is counted at what the asset is worth elsewhere, in USDT base units. */

/** Rounding of every posting, together. */
const DUST = WHOLE / 1_000n
/** A price within this of its day is in use: `HALT_BPS` and a part for the average of the day, which follows. */
const USABLE_BPS = 2_500n
/** In two hours that begin and end within the hour in which others are absent, the desk takes and gives 1 % of the pair each. */
const HOURS_BPS = 400n
/** A member's part of a ceiling, which is a fifth of the pair, and a part for a pair that held less USDT at its lowest. */
const MEMBER_BPS = 400n
/** A loan at its line may wait ten minutes in an hour, and the median of five minutes follows after half of them. */
const WAIT_S = 10 * 60 + 5 * 60
/** Sales pay at least nine tenths of the median, which may be behind what the asset is worth by what that moved. */
const SALE_BPS = 8_500n
const MEDIAN_S = 300

type Holdings = { usdt: bigint; asset: bigint; shares: bigint; worth: bigint }

/** What the adversary has: outside, in the pair, on its accounts, in the fund, and in loans less what it owes. */
export async function readHoldings(economy: Economy): Promise<Holdings> {
  const { simulation, accounts, asset, market, purse, providedPpm, fair } = economy
  const { db } = simulation
  const names = ['memberAvailable', 'memberHeld'] as const
  const of = (code: 'USDT' | typeof asset) =>
    accounts.flatMap(({ memberId }) => names.map((name) => memberAccount(memberId, name, code)))
  const sharesOf = accounts.map(({ memberId }) => memberAccount(memberId, 'memberShares', 'SHARE'))
  const [usdt, assets, shares] = [of('USDT'), of(asset), sharesOf].map((list) => accountBalances(db, list).then(sum))
  const loans = (await openLoans(economy)).filter(({ isAdverse }) => isAdverse)
  const inPair = (held: bigint) => (held * providedPpm) / 1_000_000n
  const held = {
    usdt: purse.usdt + inPair(market.usdt) + ((await usdt) ?? 0n) - sum(loans.map(({ debt }) => debt)),
    asset: purse.asset + inPair(market.asset) + ((await assets) ?? 0n) + sum(loans.map(({ collateral }) => collateral)),
    shares: (await shares) ?? 0n,
  }
  const inFund = worthOf(held.shares, await readFund(db))
  return { ...held, worth: held.usdt + inFund + (held.asset * fair) / WHOLE }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((one, other) => one + other, 0n)

async function openLoans({ simulation: { db }, accounts, honest }: Economy) {
  const rows = await db.selectFrom('loan_with_debt').selectAll().where('closed_at', 'is', null).orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    loanNo: row.loan_no,
    memberId: row.member_id,
    isAdverse: accounts.some(({ memberId }) => memberId === row.member_id),
    isHonest: row.member_id === honest.borrower || row.member_id === honest.levered,
    principal: row.principal,
    debt: row.principal + row.interest_charged - row.interest_paid + row.late_charged - row.late_paid,
    collateral: row.collateral,
    clearing: BigInt(row.clearing_ppm),
    asset: row.collateral_asset,
  }))
}

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
  /** What it gained by holding the asset while its worth moved, and by holding shares for whole days. */
  let deserved = 0n
  let fewestShares = before.shares
  let lastSale = 0n
  let lowestFair = economy.fair
  const atLineSince = new Map<bigint, number>()
  const areAbsent = economy.absent_s > 0
  // Whoever holds a price down while nobody else trades sells what is at its line, also at a loss of the fund.
  const maySqueeze = () => areAbsent && economy.longest_s >= MEDIAN_S / 2 - 30

  economy.onFair = async (by) => {
    const { asset, shares } = await readHoldings(economy)
    deserved += (asset * by) / WHOLE
    if (shares < fewestShares) fewestShares = shares
    if (economy.fair + by < lowestFair) lowestFair = economy.fair + by
  }
  economy.onClose = async (close) => {
    const fund = await readFund(db)
    const { shares } = await readHoldings(economy)
    await close()
    const gained = worthOf(shares, await readFund(db)) - worthOf(shares, fund)
    // Who came in during the day has paid for its interest before, and gets that back.
    if (shares > 0n) deserved += gained
    if (shares > fewestShares) deserved -= (gained * (shares - fewestShares)) / shares
    fewestShares = shares
  }
  economy.onBlock = async () => {
    const loans = await openLoans(economy)
    checkCeilings(loans)
    await checkSales(loans)
    checkWaits(loans)
    // A slow sale may come too late.
    if (!maySqueeze() && economy.lookBps === NORMAL_LOOK_BPS && (await sharePrice()) < firstSharePrice)
      found('the fund has lost')
  }

  function checkCeilings(loans: Awaited<ReturnType<typeof openLoans>>): void {
    const owed = new Map<bigint, bigint>()
    for (const { memberId, principal } of loans) owed.set(memberId, (owed.get(memberId) ?? 0n) + principal)
    for (const [memberId, principal] of owed)
      if (principal > (pair * MEMBER_BPS * 11n) / 100_000n)
        found(`member ${memberId} owes ${fromBaseUnits(principal)}, more than its part of the ceiling`)
  }

  async function checkSales(loans: Awaited<ReturnType<typeof openLoans>>): Promise<void> {
    const sales = await db
      .selectFrom('loan_liquidation as q')
      .innerJoin('loan as l', 'l.id', 'q.loan_id')
      .select([
        'q.id',
        'q.loan_id',
        'l.member_id',
        'l.clearing_ppm',
        'q.reason',
        'q.sale_price',
        'q.principal',
        'q.collateral',
      ])
      .where('q.id', '>', lastSale)
      .orderBy('q.id')
      .execute()
    for (const sale of sales) {
      lastSale = sale.id
      atLineSince.delete(sale.loan_id)
      if (maySqueeze()) continue
      const isHonest = sale.member_id === economy.honest.borrower || sale.member_id === economy.honest.levered
      if (sale.sale_price < (lowestFair * SALE_BPS) / 10_000n)
        found(
          `collateral was sold at ${fromBaseUnits(sale.sale_price)}, and it was never worth less than ${fromBaseUnits(lowestFair)}`,
        )
      const worth = (sale.collateral * lowestFair) / WHOLE
      // Its debt is a little more than its principal.
      if (isHonest && sale.reason === 'line' && sale.principal * 1_050_000n < BigInt(sale.clearing_ppm) * worth)
        found(`an honest loan was liquidated that was never at its line`)
    }
    const missing = (one: (typeof loans)[number]) =>
      one.debt * 1_000_000n - (one.clearing * one.collateral * median()) / WHOLE
    const largest = loans
      .filter((one) => missing(one) > one.debt * 20_000n)
      .toSorted((a, b) => (missing(a) < missing(b) ? 1 : -1))[0]
    const sold = sales.filter(({ reason }) => reason === 'line')
    if (largest !== undefined && sold.length >= 5 && !sold.some(({ loan_id }) => loan_id === largest.id)) {
      const most = sold.reduce((one, { principal }) => (principal > one ? principal : one), 0n)
      if (most * 5n < largest.debt) found('small loans were sold before a large one')
    }
  }

  function checkWaits(loans: Awaited<ReturnType<typeof openLoans>>): void {
    const now = simulation.chain.head.timestamp
    const price = median()
    const open = new Set(loans.map(({ id }) => id))
    for (const id of atLineSince.keys()) if (!open.has(id)) atLineSince.delete(id)
    for (const loan of loans) {
      // A hundredth beyond its line, so that it does not come and go with what rounds.
      const isAtLine =
        loan.asset === economy.asset && loan.debt * 99n * 10_000n >= (loan.clearing * loan.collateral * price) / WHOLE
      if (!isAtLine) atLineSince.delete(loan.id)
      else if (!atLineSince.has(loan.id)) atLineSince.set(loan.id, now)
      else if (now - (atLineSince.get(loan.id) ?? now) > WAIT_S) found('a loan at its line is kept from being sold')
    }
  }

  /** Of the last five minutes, computed from the pair. */
  function median(): bigint {
    let left = MEDIAN_S
    const parts: { price: bigint; seconds: number }[] = []
    for (const { price, seconds } of economy.seen.toReversed()) {
      if (left <= 0) break
      parts.push({ price, seconds: Math.min(seconds, left) })
      left -= seconds
    }
    let half = parts.reduce((total, { seconds }) => total + seconds, 0) / 2
    for (const { price, seconds } of parts.toSorted((a, b) => (a.price < b.price ? -1 : 1))) {
      half -= seconds
      if (half <= 0) return price
    }
    return economy.fair
  }

  return {
    /** What was gained besides, which must not be more than is documented. */
    async gain(): Promise<bigint> {
      return (await readHoldings(economy)).worth + economy.lostToOthers - lostBefore - before.worth - deserved
    },
    /** An honest member closes a hundredth of its position. */
    async closeSome(): Promise<void> {
      const [loan] = (await openLoans(economy)).filter(({ memberId }) => memberId === economy.honest.levered)
      if (loan === undefined) return
      const refusals = () => economy.answers['POST lever/close 4203'] ?? 0
      const earlier = refusals()
      const input = { loanNo: loan.loanNo, percent: 1, minProceeds: 1n }
      await call(economy, loan.memberId, 'POST lever/close', input)
      if (refusals() > earlier) found('an honest member cannot close its position')
    },
    async check(): Promise<void> {
      const gain = await this.gain()
      const bound = DUST + (areAbsent ? (pair * HOURS_BPS * USABLE_BPS) / 100_000_000n : 0n)
      if (gain > bound)
        found(`the adversary gained ${fromBaseUnits(gain)}, ${(gain * 10_000n) / pair} in 10,000 of the pair`)
      const audits = [await auditLedger(db), await auditLoans(db), await auditFund(db)]
      for (const difference of audits.flat())
        found(
          `audit: ${JSON.stringify(difference, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`,
        )
    },
  }
}
