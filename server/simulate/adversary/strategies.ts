import { transferTypedData } from '@candela/protocol/chain/typed-data'
import { memberBalances } from '@candela/server/ledger/balances'
import type { Hex } from 'viem'
import { WHOLE } from '../run/simulation.ts'
import { send } from '../workload/chain-actions.ts'
import { nextRequestId } from '../workload/next-request-id.ts'
import {
  type Account,
  block,
  call,
  type Economy,
  pass,
  passUntilMidnight,
  push,
  release,
  sink,
  slump,
} from './economy.ts'
import { lower } from '../model/market.ts'

/** What an adversary does, from four numbers between 0 and 1 that a search chooses. */

export type Numbers = readonly [number, number, number, number]
export type Strategy = (economy: Economy, numbers: Numbers) => Promise<void>

const at = <T>(list: readonly T[], part: number): T =>
  list[Math.min(list.length - 1, Math.floor(part * list.length))] as T
const upTo = (most: number, part: number): number => Math.ceil(part * most)
const accountAt = ({ accounts }: Economy, part: number): Account => at(accounts.slice(0, 5), part)

const PPM = 1_000_000n

/** A third to three times what it is worth, and mostly within what is not noticed. */
const farOf = (part: number): number => at([3_000, 5_000, 8_200, 11_800, 20_000, 30_000], part)

const balanceOf = async ({ simulation, asset }: Economy, { memberId }: Account) => {
  const { USDT, [asset]: held } = await memberBalances(simulation.db, memberId)
  return { usdt: USDT.available, asset: held.available }
}

/** Borrows the most that the service lends, first as if the price were right. */
async function borrow(economy: Economy, account: Account, part = 1): Promise<string | null> {
  const { simulation, asset, market, fair, pair } = economy
  const collateral = ((await balanceOf(economy, account)).asset * BigInt(upTo(100, part))) / 100n
  const projectNo = simulation.lending.projects[asset]
  const half = (price: bigint) => (collateral * price * 499n) / (WHOLE * 1_000n)
  const ceiling = (pair * 39n) / 1_000n
  for (const amount of [
    half(market.price),
    half(fair),
    lower(ceiling, half(market.price)),
    lower(ceiling, half(fair)),
  ]) {
    const done = await call(economy, account.memberId, 'POST lending/borrow', {
      projectNo,
      amount,
      collateral,
      days: 30,
    })
    if (done !== null) return done.loan.loanNo
  }
  return null
}

/** Exchanges as much as the desk still takes in the hour. */
async function exchange(economy: Economy, account: Account, sells: boolean, part = 1): Promise<void> {
  const [from, to] = sells ? ([economy.asset, 'USDT'] as const) : (['USDT', economy.asset] as const)
  const held = await balanceOf(economy, account)
  const most = sells ? held.asset : held.usdt
  const first = await call(economy, account.memberId, 'POST exchange/quote', { from, to, amount: WHOLE })
  if (first === null) return
  const amount =
    (lower(most, (BigInt(Math.floor(Number(first.hourLeft) * 1e6)) * WHOLE) / 1_000_000n) * BigInt(upTo(1_000, part))) /
    1_000n
  const quote = await call(economy, account.memberId, 'POST exchange/quote', { from, to, amount })
  if (quote !== null)
    await call(economy, account.memberId, 'POST exchange/index', { quoteNo: quote.quoteNo, minReceived: 1n })
}

async function openLever(economy: Economy, account: Account, ratio: number, part = 1): Promise<string | null> {
  const { asset, pair } = economy
  // All of it, at four times, is nearly the desk's hour.
  const margin = (pair * BigInt(upTo(96, part)) * 10n) / (10_000n * BigInt(ratio))
  const input = { asset, margin, ratio, days: 7, minBought: 1n, acceptWarning: true } as const
  return (await call(economy, account.memberId, 'POST lever/open', input))?.loan.loanNo ?? null
}

async function closeAll(economy: Economy): Promise<void> {
  const { simulation, accounts } = economy
  const ids = accounts.map(({ memberId }) => memberId)
  const open = await simulation.db
    .selectFrom('loan')
    .select(['loan_no', 'member_id', 'kind'])
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { loan_no: loanNo, member_id: memberId, kind } of open) {
    if (!ids.includes(memberId)) continue
    if (kind === 'lever') await call(economy, memberId, 'POST lever/close', { loanNo, percent: 100, minProceeds: 1n })
    else await call(economy, memberId, 'POST lending/repay', { loanNo, mode: 'full', amount: 10n ** 15n * WHOLE })
  }
}

const moveIntoFund = async (economy: Economy, account: Account, part: number) => {
  const amount = ((await balanceOf(economy, account)).usdt * BigInt(upTo(100, part))) / (100n * WHOLE)
  await call(economy, account.memberId, 'POST finance/transferIn', { amount: amount * WHOLE })
}
const moveOutOfFund = (economy: Economy, { memberId }: Account) =>
  call(economy, memberId, 'POST finance/transferOut', { all: '1' })

/** What to do while the price is pushed. */
const uses: readonly Strategy[] = [
  async (economy, [, , , part]) => void (await borrow(economy, accountAt(economy, part))),
  async (economy, [, , , part]) => exchange(economy, accountAt(economy, part), true),
  async (economy, [, , , part]) => exchange(economy, accountAt(economy, part), false),
  async (economy, [, , , part]) => void (await openLever(economy, accountAt(economy, part), 40)),
  async (economy) => closeAll(economy),
]

/** Pays a hundredth of a USDT on chain. */
function payDust(economy: Economy, { signer }: Account, reference: string): void {
  const customer = signer.address.toLowerCase() as Hex
  payOnChain(economy, signer, { key: 'repay', amount: WHOLE / 50n, customer, reference })
}

type Payment = { key: string; amount: bigint; customer: Hex; reference: string }

/** USDT from the purse. */
function payOnChain(economy: Economy, { address }: Account['signer'], payment: Payment): void {
  const { simulation, purse } = economy
  economy.paidAt = simulation.chain.head.timestamp
  economy.purse = { ...purse, usdt: purse.usdt - payment.amount }
  send(simulation, address.toLowerCase() as Hex, { do: 'recharge', asset: 'USDT', ...payment })
}

/** Pays what an order of power says, on chain. */
async function buyPower(economy: Economy, { memberId, signer }: Account, units: number): Promise<void> {
  const { simulation } = economy
  const input = { planId: Number(simulation.planId), units, asset: 'USDT' } as const
  const payment = (await call(economy, memberId, 'POST power/getOrder', input))?.order.transaction ?? null
  if (payment === null) return
  const [amount, , customer, reference] = payment.tuple
  payOnChain(economy, signer, { key: payment.abiKey, amount: BigInt(amount), customer: customer as Hex, reference })
}

/** Gives all that an account has to another one. */
async function transfer(economy: Economy, from: Account, to: Account): Promise<void> {
  const { simulation, asset } = economy
  const held = await balanceOf(economy, from)
  for (const [code, amount] of [
    ['USDT', held.usdt],
    [asset, held.asset],
  ] as const) {
    if (amount === 0n) continue
    const requestId = nextRequestId(simulation)
    const deadline = new Date(simulation.clock.now().getTime() + 120_000)
    const terms = {
      from: from.signer.address.toLowerCase() as Hex,
      to: to.signer.address.toLowerCase() as Hex,
      asset: code,
      amount,
      requestId,
      deadline,
    }
    const signature = await from.signer.signTypedData(transferTypedData(terms, simulation.contracts.gateway))
    await call(economy, from.memberId, 'POST transfer/index', {
      to: terms.to,
      asset: code,
      amount,
      requestId,
      deadline,
      signature,
    } as never)
  }
}

/** Blocks until large payments are credited. */
const LARGE_CONFIRMED_S = 30

/** A fall that brings a loan of four times near its line, and does not reach it. */
const SAFE_FALL_BPS = 1_450
const FALL_TURNS = 10n
/** More than the ten minutes that a loan may wait. */
const SWING_TURNS = 32
const SWING_S = 37

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
    // What the pair holds is at another price by now: the same part of it is put back, and the rest is kept.
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
  /** Lets a leveraged loan go over its term, and pushes the price around the midnight at which it is sold. */
  async waitForMidnight(economy, [far, early, late, count]) {
    for (let nth = 0; nth < upTo(3, count); nth++) {
      await openLever(economy, economy.accounts[nth] as Account, 40)
      await pass(economy, 3_700)
    }
    // Seven days of its term, and three of grace.
    for (let day = 0; day < 10; day++) await passUntilMidnight(economy, 900, 86_400)
    // The average of half an hour follows until then.
    const before_s = 60 * (25 + upTo(30, early))
    await passUntilMidnight(economy, -before_s, 43_200)
    push(economy, farOf(far))
    await pass(economy, before_s + upTo(120, late), economy.absent_s > 0 ? 240 : 900)
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
  /** While its loan comes to its line it swings the pair, or pays a little in each block, to keep it from being sold. */
  async keepSaleAway(economy, [how, , beyond, part]) {
    const account = accountAt(economy, part)
    const loanNo = await openLever(economy, account, 40)
    if (loanNo === null) return
    await slump(economy, SAFE_FALL_BPS)
    // What it is worth falls on to between its line and the whole debt, and stays there.
    const step = (economy.fair * BigInt(100 + upTo(500, beyond))) / (10_000n * FALL_TURNS)
    for (let turn = 0; turn < SWING_TURNS; turn++) {
      if (turn < Number(FALL_TURNS)) await sink(economy, step)
      if (how < 0.5) push(economy, turn % 2 === 0 ? 8_000 : 12_500)
      else payDust(economy, account, loanNo)
      await block(economy)
      release(economy)
      if (how >= 0.5) payDust(economy, account, loanNo)
      await block(economy, SWING_S)
    }
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
    await slump(economy, 1_700)
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
    await passUntilMidnight(economy, -upTo(3_600, early))
    await moveIntoFund(economy, accountAt(economy, part), 0.9)
    await passUntilMidnight(economy, 900 + upTo(1_800, late), 300)
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
    if (days < 0.3) await passUntilMidnight(economy, 960)
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
    await passUntilMidnight(economy, -upTo(3_600, hours))
    const receiver = at(economy.accounts, to)
    for (const buyer of buyers) if (buyer !== receiver) await transfer(economy, buyer, receiver)
    await passUntilMidnight(economy, 960)
  },
  /** Repays everything, and waits. */
  async closePositions(economy, [, , hours]) {
    await closeAll(economy)
    await pass(economy, upTo(7_200, hours))
  },
} satisfies Record<string, Strategy>

async function smallLever(economy: Economy, { memberId }: Account): Promise<void> {
  const input = {
    asset: economy.asset,
    margin: economy.pair / 45_000n,
    ratio: 40,
    days: 7,
    minBought: 1n,
    acceptWarning: true,
  } as const
  await call(economy, memberId, 'POST lever/open', input)
}

export type StrategyName = keyof typeof strategies
