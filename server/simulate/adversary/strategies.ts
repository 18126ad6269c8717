import {
  accountAt,
  at,
  borrow,
  buyPower,
  closeAll,
  exchange,
  exchangeUnits,
  moveIntoFund,
  moveOutOfFund,
  openLever,
  payDust,
  payOnChain,
  smallLever,
  transfer,
  upTo,
  withdraw,
} from './acts.ts'
import {
  type Account,
  block,
  call,
  DEFAULT_DAYS,
  type Economy,
  pass,
  payOut,
  push,
  release,
  sink,
  slump,
  wait,
  waitUntilMidnight,
} from './economy.ts'
import type { Hex } from 'viem'
import { WHOLE } from '../run/simulation.ts'
import { leaveByOldProofs } from './leave.ts'

/** The strategies of an adversary, from four numbers between 0 and 1 that a search chooses. */

export type Numbers = readonly [number, number, number, number]
export type Strategy = (economy: Economy, numbers: Numbers) => Promise<void>

const PPM = 1_000_000n

/** A third to three times what it is worth, and mostly within what is not noticed. */
const farOf = (part: number): number => at([3_000, 5_000, 8_200, 11_800, 20_000, 30_000], part)

/** The acts while the price is pushed. */
const uses: readonly Strategy[] = [
  async (economy, [, , , part]) => void (await borrow(economy, accountAt(economy, part))),
  async (economy, [, , , part]) => exchange(economy, accountAt(economy, part), true),
  async (economy, [, , , part]) => exchange(economy, accountAt(economy, part), false),
  async (economy, [, , , part]) => void (await openLever(economy, accountAt(economy, part), 40)),
  async (economy) => closeAll(economy),
]

/** Blocks until large payments are credited. */
const LARGE_CONFIRMED_S = 30

/** A fall that brings a loan of four times near its line, and does not reach it. */
const SAFE_FALL_BPS = 1_450
const FALL_TURNS = 10n
/** More than the ten minutes that a loan may wait. */
const SWING_TURNS = 32
const SWING_S = 40
/** Seven days of a term, and three of grace; or thirty, and those of the setting. */
const DAYS_TO_TERM = 10
const DAYS_TO_DEFAULT = 29 + DEFAULT_DAYS

/** The asset's worth falls to between the line of a loan of four times and its debt, and stays there; each turn does something. */
async function fallOn(economy: Economy, beyond: number, turn: () => Promise<void>): Promise<void> {
  const step = (economy.fair * BigInt(200 + upTo(300, beyond))) / (10_000n * FALL_TURNS)
  for (let nth = 0; nth < SWING_TURNS; nth++) {
    if (nth < Number(FALL_TURNS)) await sink(economy, step)
    await turn()
  }
}

export const strategies = {
  /** Pushes the price for one block and uses what is decided by it. */
  async pushOneBlock(economy, numbers) {
    push(economy, farOf(numbers[0]))
    await block(economy)
    await at(uses, numbers[1])(economy, numbers)
    release(economy)
    await block(economy)
    await pass(economy, upTo(3_600, numbers[2]))
  },
  /** Pushes the price, holds it for up to an hour, and uses it then. */
  async pushAndHold(economy, numbers) {
    push(economy, farOf(numbers[0]))
    if (economy.absent_s > 0) await pass(economy, upTo(3_500, numbers[2]), 240)
    else for (let blocks = upTo(8, numbers[2]); blocks > 0; blocks--) await block(economy)
    await at(uses, numbers[1])(economy, numbers)
    release(economy)
    await block(economy)
    await pass(economy, 3_600)
  },
  /** Walks the price up in small steps, and borrows on it. */
  async ratchet(economy, [steps, size, , part]) {
    const step = 20 + upTo(300, size)
    for (let nth = 1; nth <= upTo(10, steps); nth++) {
      push(economy, 10_000 + nth * step)
      await block(economy, economy.absent_s > 0 ? 300 : 3)
    }
    await borrow(economy, accountAt(economy, part))
    release(economy)
    await block(economy)
  },
  /** Takes its part out of the pair for one block that is looked at, and uses the desk meanwhile. */
  async leavePair(economy, numbers) {
    const { provided, market } = economy
    const part_ppm = (provided * PPM) / market.shares
    const taken = market.withdraw(provided)
    economy.provided = 0n
    economy.isTouched = true
    await block(economy)
    await at(uses, numbers[1])(economy, numbers)
    // The pair's holdings are at another price by now: the same part of it is put back, and the rest is kept.
    const share = {
      usdt: (market.usdt * part_ppm) / (PPM - part_ppm),
      asset: (market.asset * part_ppm) / (PPM - part_ppm),
    }
    economy.provided = market.provide(share)
    economy.purse = {
      usdt: economy.purse.usdt + taken.usdt - share.usdt,
      asset: economy.purse.asset + taken.asset - share.asset,
    }
    economy.isTouched = true
    await block(economy)
  },
  /** Lets leveraged loans go over their term, or a loan come into default, and holds the price around the midnight at which they are sold. */
  async waitForMidnight(economy, [far, early, late, count]) {
    const loans = upTo(4, count)
    if (loans === 4) await borrow(economy, economy.accounts[0] as Account)
    else
      for (let nth = 0; nth < loans; nth++) {
        await openLever(economy, economy.accounts[nth] as Account, 40)
        await pass(economy, 3_700)
      }
    // The average of half an hour follows until then.
    const before_s = 60 * (25 + upTo(30, early))
    await waitUntilMidnight(economy, -before_s, loans === 4 ? DAYS_TO_DEFAULT : DAYS_TO_TERM)
    push(economy, at([8_200, 20_000, 30_000], far))
    await pass(economy, before_s, economy.absent_s > 0 ? 240 : 900)
    // Each look sells a part.
    for (let looks = upTo(12, late); looks > 0; looks--) await block(economy)
    release(economy)
    await block(economy)
    await pass(economy, 3_600)
  },
  /** Opens the highest ratio and pushes the price down, so that it is liquidated. */
  async selfLiquidate(economy, [far, blocks, , part]) {
    await openLever(economy, accountAt(economy, part), 40)
    await block(economy)
    push(economy, Math.min(9_000, farOf(far)))
    await pass(economy, upTo(economy.absent_s > 0 ? 1_200 : 24, blocks), economy.absent_s > 0 ? 60 : 3)
    release(economy)
    await block(economy)
    await exchange(economy, accountAt(economy, part), false)
  },
  /** While its loan is at its line it swings the pair, so that each look finds another price than that of most of the time. */
  async swingPair(economy, [way, , beyond, part]) {
    if ((await openLever(economy, accountAt(economy, part), 40)) === null) return
    await slump(economy, SAFE_FALL_BPS)
    economy.swungBy = way < 0.5 ? 8_000n : 12_500n
    await fallOn(economy, beyond, () => block(economy, SWING_S))
    economy.swungBy = null
    await block(economy)
  },
  /** While its loan is at its line it pays a little in each block, to keep it from being sold. */
  async payInEachBlock(economy, [, , beyond, part]) {
    const account = accountAt(economy, part)
    const loanNo = await openLever(economy, account, 40)
    if (loanNo === null) return
    await slump(economy, SAFE_FALL_BPS)
    await fallOn(economy, beyond, async () => {
      payDust(economy, account, loanNo)
      await block(economy)
      payDust(economy, account, loanNo)
      await block(economy, SWING_S)
    })
  },
  /** When what it is worth has fallen to the line of a loan, pushes the price far down for one block and buys what is sold then. */
  async pushAtLine(economy, [far, beyond, , part]) {
    const account = accountAt(economy, part)
    await openLever(economy, account, 40)
    await slump(economy, SAFE_FALL_BPS)
    const step = (economy.fair * BigInt(200 + upTo(300, beyond))) / (10_000n * FALL_TURNS)
    for (let turn = 0; turn < Number(FALL_TURNS); turn++) {
      await sink(economy, step)
      push(economy, Math.min(8_200, farOf(far)))
      await block(economy)
      release(economy)
      await exchange(economy, account, false)
      await block(economy, 60)
    }
  },
  /** Many small loans are at their line together with a large one. */
  async smallLoans(economy, [much]) {
    const [first, ...others] = economy.accounts.slice(0, 5)
    const count = 8 + upTo(12, much)
    for (let nth = 0; nth < count; nth++) await smallLever(economy, others[nth % others.length] as Account)
    if (first !== undefined) await openLever(economy, first, 39, 0.5)
    // All come to their lines at once.
    await slump(economy, SAFE_FALL_BPS)
    await sink(economy, (economy.fair * 500n) / 10_000n)
    await pass(economy, 900, 60)
  },
  /** Uses the whole hour of the desk in one direction, while others want to close. */
  async useHour(economy, [way, count, , part]) {
    for (let nth = upTo(3, count); nth > 0; nth--) {
      await exchange(economy, accountAt(economy, part), way < 0.5)
      await block(economy)
    }
  },
  /** Comes into the fund shortly before the close of a day, and leaves after it. */
  async enterAndLeaveFund(economy, [early, late, , part]) {
    await waitUntilMidnight(economy, -upTo(3_600, early))
    await moveIntoFund(economy, accountAt(economy, part), 0.9)
    await waitUntilMidnight(economy, 900 + upTo(1_800, late))
    await moveOutOfFund(economy, accountAt(economy, part))
  },
  /** Exchanges to and fro, also amounts that round. */
  async exchangeRounds(economy, [size, count, , part]) {
    const account = accountAt(economy, part)
    for (let nth = upTo(6, count); nth > 0; nth--) {
      await exchange(economy, account, false, size)
      await exchange(economy, account, true, size)
      await block(economy, 31)
    }
  },
  /** One account borrows as often as it is lent to. */
  async fillCeiling(economy, [count, size, , part]) {
    for (let nth = upTo(5, count); nth > 0; nth--) await borrow(economy, accountAt(economy, part), 0.2 + size / 2)
    await block(economy)
  },
  /** Borrows with one account after the other, moving what it has on between them. */
  async passOn(economy, [from, to, days]) {
    const [one, other] = [accountAt(economy, from), at(economy.accounts, to)]
    if (one === other) return
    await borrow(economy, one, 0.4)
    await transfer(economy, one, other)
    await borrow(economy, other, 0.5)
    if (days < 0.3) await waitUntilMidnight(economy, 960)
    await transfer(economy, other, one)
  },
  /** Each of a chain of wallets that have invited one another buys power, and what they have is moved before the day is closed. */
  async referralRing(economy, [size, count, to, hours]) {
    const buyers = economy.accounts.slice(0, 1 + upTo(5, count))
    for (const buyer of buyers) {
      await buyPower(economy, buyer, upTo(50, size))
      await block(economy)
    }
    await pass(economy, LARGE_CONFIRMED_S, 3)
    await waitUntilMidnight(economy, -upTo(3_600, hours))
    const receiver = at(economy.accounts, to)
    for (const buyer of buyers) if (buyer !== receiver) await transfer(economy, buyer, receiver)
    await waitUntilMidnight(economy, 960)
  },
  /** Borrows, has a part paid to its wallet, and lets the price fall until the collateral is sold. */
  async borrowAndWithdraw(economy, [size, fall, , part]) {
    const account = accountAt(economy, part)
    await borrow(economy, account, 0.3 + size / 2)
    await withdraw(economy, account, BigInt(upTo(100, size)) * WHOLE)
    await payOut(economy)
    await slump(economy, upTo(3_500, fall))
    await pass(economy, 900, 60)
  },
  /** Pays, exchanges and moves single units, of which nothing may come by rounding. */
  async dust(economy, [size, count, , part]) {
    const account = accountAt(economy, part)
    const customer = account.signer.address.toLowerCase() as Hex
    const amount = 10n ** BigInt(upTo(18, size))
    for (let nth = upTo(8, count); nth > 0; nth--) {
      payOnChain(economy, account.signer, { key: 'deposit', amount, customer, reference: '' })
      await exchangeUnits(economy, account, amount)
      await call(economy, account.memberId, 'POST finance/transferIn', { amount: WHOLE })
      await call(economy, account.memberId, 'POST finance/transferOut', { amount: WHOLE - amount / 2n })
      await block(economy, 31)
    }
    await moveOutOfFund(economy, account)
  },
  /** Saves proofs, moves what it has to another account before the next day is attested, and claims by all of them after the exit. */
  async exitByOldProofs(economy, [to, back, paid, part]) {
    release(economy)
    await closeAll(economy)
    for (const account of economy.accounts.slice(0, 5)) await moveOutOfFund(economy, account)
    await leaveByOldProofs(economy, {
      from: accountAt(economy, part),
      to: at(economy.accounts, to),
      movesBack: back < 0.5,
      withdraws: paid < 0.5,
    })
  },
  /** Repays everything, and waits. */
  async closePositions(economy, [, , hours]) {
    await closeAll(economy)
    await wait(economy, upTo(7_200, hours))
  },
} satisfies Record<string, Strategy>

export type StrategyName = keyof typeof strategies
