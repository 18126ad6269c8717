import { WHOLE_UNIT } from '../units.ts'
import { expect, test } from 'vitest'
import { owedTo, poolInKind, type Position, takenForDebt } from './owed.ts'

const prices = { JU: 2n * WHOLE_UNIT, HASH: WHOLE_UNIT / 2n }
const noFund = { assets: 0n, shares: 0n }
const has = (usdt: bigint, JU: bigint, HASH: bigint) => ({
  usdt: usdt * WHOLE_UNIT,
  shares: 0n,
  collateral: { JU: JU * WHOLE_UNIT, HASH: HASH * WHOLE_UNIT },
})
const taken = (USDT: bigint, JU: bigint, HASH: bigint) => ({
  JU: JU * WHOLE_UNIT,
  USDT: USDT * WHOLE_UNIT,
  HASH: HASH * WHOLE_UNIT,
  shares: 0n,
  sharesWorth: 0n,
})

const debt = (whole: bigint) => whole * WHOLE_UNIT

test('a debt takes USDT first, then collateral at its price, and never more than there is', () => {
  expect(takenForDebt({ ...has(100n, 10n, 40n), debt: debt(0n) }, { fund: noFund, prices })).toEqual(taken(0n, 0n, 0n))
  expect(takenForDebt({ ...has(100n, 10n, 40n), debt: debt(60n) }, { fund: noFund, prices })).toEqual(
    taken(60n, 0n, 0n),
  )
  expect(takenForDebt({ ...has(100n, 10n, 40n), debt: debt(110n) }, { fund: noFund, prices })).toEqual(
    taken(100n, 5n, 0n),
  )
  expect(takenForDebt({ ...has(100n, 10n, 40n), debt: debt(130n) }, { fund: noFund, prices })).toEqual(
    taken(100n, 10n, 20n),
  )
  expect(takenForDebt({ ...has(100n, 10n, 40n), debt: debt(900n) }, { fund: noFund, prices })).toEqual(
    taken(100n, 10n, 40n),
  )
})

test('where a price is unknown nothing is taken, and what is taken is rounded down', () => {
  const debtor = { ...has(0n, 10n, 40n), debt: 5n * WHOLE_UNIT }
  expect(takenForDebt(debtor, { fund: noFund, prices: { ...prices, JU: null } })).toEqual(taken(0n, 0n, 10n))
  expect(takenForDebt(debtor, { fund: noFund, prices: { JU: null, HASH: null } })).toEqual(taken(0n, 0n, 0n))
  expect(takenForDebt({ ...debtor, debt: 1n }, { fund: noFund, prices }).JU).toBe(0n)
})

const none = { JU: 0n, USDT: 0n, HASH: 0n }
const nobody: Position = { balances: none, shares: 0n, collateral: { JU: 0n, HASH: 0n }, debt: 0n, paidLater: none }
const usdt = (whole: bigint) => ({ ...none, USDT: whole * WHOLE_UNIT })
const debtorOf = (position: Position) => ({ ...position, usdt: position.balances.USDT })

/** More than what rounding and the virtual shares of the fund take. */
const DUST = 10n ** 12n

/** Computes what is owed to each, in whole units, with the pool that follows from all of them. */
function owedToAll(all: readonly Position[], fund: { assets: bigint; shares: bigint; idle: bigint }, at = prices) {
  const pool = poolInKind(all.filter((one) => one.debt > 0n).map(debtorOf), fund, at)
  return all.map((one) => owedTo(one, { fund, pool, prices: at }).map((amount) => (amount + DUST) / WHOLE_UNIT))
}

test('a fund that is lent is owed its loans’ collateral, and nobody else bears that its USDT has left', () => {
  const fund = { assets: 1_000n * WHOLE_UNIT, shares: 1_000n * WHOLE_UNIT, idle: 0n }
  const lender = { ...nobody, shares: 1_000n * WHOLE_UNIT }
  // Borrowed 1,000 on 500 JU, and has withdrawn them.
  const borrower = { ...nobody, debt: debt(1_000n), collateral: { JU: 500n * WHOLE_UNIT, HASH: 0n } }
  const saver = { ...nobody, balances: usdt(1_000n) }
  expect(owedToAll([lender, borrower, saver], fund)).toEqual([
    [0n, 0n, 500n],
    [0n, 0n, 0n],
    [1_000n, 0n, 0n],
  ])
  // Where collateral is worth more, the borrower is owed the rest.
  expect(owedToAll([lender, borrower, saver], fund, { ...prices, JU: 4n * WHOLE_UNIT })).toEqual([
    [0n, 0n, 250n],
    [0n, 0n, 250n],
    [1_000n, 0n, 0n],
  ])
  // Where collateral is worth less, the lenders alone are short.
  expect(owedToAll([lender, borrower, saver], fund, { ...prices, JU: WHOLE_UNIT })).toEqual([
    [0n, 0n, 500n],
    [0n, 0n, 0n],
    [1_000n, 0n, 0n],
  ])
})

test('lenders have parts of the idle USDT and of all that debts take, and the platform has what debts owe to it', () => {
  // 1,000 shares; 400 USDT idle, 600 lent; debts of 660, of which 60 are not the fund's.
  const fund = { assets: 1_000n * WHOLE_UNIT, shares: 1_000n * WHOLE_UNIT, idle: 400n * WHOLE_UNIT }
  const lenders = [750n, 250n].map((shares) => ({ ...nobody, shares: shares * WHOLE_UNIT }))
  const borrower = {
    ...nobody,
    balances: usdt(220n),
    debt: debt(660n),
    collateral: { JU: 100n * WHOLE_UNIT, HASH: 1_000n * WHOLE_UNIT },
  }
  // It takes 220 USDT, 100 JU (200 USDT) and 480 HASH (240 USDT); the fund's part of each is 600 of 660.
  expect(owedToAll([...lenders, borrower], fund)).toEqual([
    [450n, 327n, 68n],
    [150n, 109n, 22n],
    [0n, 520n, 0n],
  ])
  // The platform bears first what borrowers are short of: 60 less is taken, and the fund has what it had.
  const short = { ...borrower, collateral: { JU: 100n * WHOLE_UNIT, HASH: 360n * WHOLE_UNIT } }
  expect(owedToAll([...lenders, short], fund)[0]).toEqual([(750n * 620n) / 1_000n, 270n, 75n])
})

test('a borrower’s own shares pay its debt before its collateral does, and other shares are worth what they were', () => {
  const fund = { assets: 2_000n * WHOLE_UNIT, shares: 1_000n * WHOLE_UNIT, idle: 1_500n * WHOLE_UNIT }
  const lender = { ...nobody, shares: 800n * WHOLE_UNIT }
  const borrower = {
    ...nobody,
    shares: 200n * WHOLE_UNIT,
    debt: debt(500n),
    collateral: { JU: 500n * WHOLE_UNIT, HASH: 0n },
  }
  // 200 shares are worth 400 USDT; the other 100 are 50 JU. The lender has 1,500 USDT and 50 JU, as before 1,600 USDT.
  expect(owedToAll([lender, borrower], fund)).toEqual([
    [1_500n, 0n, 50n],
    [0n, 0n, 450n],
  ])
  // The fund has no part in 60 of a debt of 560: the other 80 JU that it takes are the fund's and the platform's, 50 and 30.
  expect(owedToAll([lender, { ...borrower, debt: debt(560n) }], fund)).toEqual([
    [1_500n, 0n, 50n],
    [0n, 0n, 420n],
  ])
  // A debt that is less than the shares leaves the others, in kind.
  const [, left] = owedToAll([lender, { ...borrower, debt: debt(100n) }], { ...fund, idle: 1_900n * WHOLE_UNIT })
  expect(left).toEqual([300n, 0n, 500n])
})

test('without shares the fund is nobody’s, and what is owed is never more than there is', () => {
  const fund = { assets: 700n * WHOLE_UNIT, shares: 0n, idle: 100n * WHOLE_UNIT }
  const borrower = debtorOf({ ...nobody, balances: usdt(50n), debt: debt(600n), collateral: { JU: 3n, HASH: 0n } })
  expect(poolInKind([borrower], fund, prices)).toEqual({ amounts: none, shares: 0n })
  expect(poolInKind([], { assets: 0n, shares: 5n, idle: 0n }, prices)).toEqual({ amounts: none, shares: 5n })
  const lost = { ...nobody, shares: 5n, debt: 1n }
  expect(owedTo(lost, { fund: { assets: 0n, shares: 5n }, pool: { amounts: none, shares: 5n }, prices })).toEqual([
    0n,
    0n,
    0n,
  ])
})
