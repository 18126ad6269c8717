/** The past of loans and of the money fund: somebody has put money into it, and the demo wallet's person has borrowed of it. */
import { uniswapV2RouterAbi } from '@candela/protocol/abi/uniswap-v2'
import { DAY_MS, MINUTE_MS, WHOLE_UNIT } from '@candela/protocol/units'
import { startOfDay, utcDay } from '@candela/protocol/calendar'
import { toBaseUnits } from '@candela/protocol/money/money'
import { fundHandlers } from '@candela/server/modules/fund/endpoints'
import { lendingHandlers } from '@candela/server/modules/lending/endpoints'
import { isCharged } from '@candela/server/modules/lending/loan/daily/is-charged'
import { composeUpkeep } from '@candela/server/jobs/compose-work'
import { periodicTasks } from '@candela/server/jobs/periodic-tasks'
import { systemIds } from '@candela/server/kernel/ids'
import { silentLog } from '@candela/server/kernel/log'
import { getDepositOrder } from '@candela/server/modules/deposit/get-order'
import { listAllProjects } from '@candela/server/modules/lending/project/manage-projects'
import { encodeFunctionData, type Hex } from 'viem'
import {
  accountAt,
  approval,
  chainLimits,
  clientOf,
  clockOf,
  contractsOf,
  lower,
  type Past,
  send,
  type Sending,
} from './past.ts'

/** Somebody of the past. */
export type Person = { index: number; memberId: bigint }

const usdt = (amount: number): bigint => BigInt(amount) * WHOLE_UNIT

/** The two pay this in, and this much of it becomes shares of the fund. */
const saved = { deposit: usdt(6_000), shares: usdt(6_000) }
const borrowed = { deposit: usdt(3_000), ju: usdt(1_000), shares: usdt(1_000) }
/** A small loan, far from its lines. */
const loan = { amount: usdt(1_000), collateral: usdt(600), days: 90 }
const position = { asset: 'HASH', margin: usdt(200), ratio: 25, days: 30 } as const

/** So long after midnight a day is closed. */
const CLOSING_MINUTES = 15

/** Announces deposits and pays them. They have to be credited before `borrowAndLend`. */
export async function payIn(past: Past, saver: Person, borrower: Person): Promise<void> {
  await pay(past, saver, 'USDT', saved.deposit)
  await pay(past, borrower, 'USDT', borrowed.deposit)
  await pay(past, borrower, 'JU', borrowed.ju)
}

async function pay(past: Past, { index, memberId }: Person, asset: 'JU' | 'USDT', amount: bigint): Promise<void> {
  const { db, chain, deployment } = past
  const clock = clockOf(chain)
  const ids = systemIds(clock)
  const contracts = contractsOf(deployment)
  const { transaction, approval: allowance } = await getDepositOrder(
    { db, ids, contracts, chainLimits },
    { asset, amount, requestId: ids.uuid() },
    { memberId, now: clock.now() },
  )
  const { to, data, gas, value } = transaction
  const deposit: Sending = { to: to as Hex, data: data as Hex, gas: BigInt(gas), value: BigInt(value) }
  await send(
    past,
    index,
    allowance === null ? [deposit] : [approval(contracts.usdt, contracts.gateway, amount), deposit],
  )
}

/** Money into the fund, a loan on JU and a leveraged loan on HASH, at the prices of the pairs. The desk has its stock. */
export async function borrowAndLend(past: Past, saver: Person, borrower: Person): Promise<void> {
  const { db, chain, deployment } = past
  const clock = clockOf(chain)
  await observe(past)
  const ids = systemIds(clock)
  const contracts = contractsOf(deployment)
  const handlers = { ...fundHandlers({ db, isCharged }), ...lendingHandlers({ db, ids, contracts }) }
  const callOf = ({ memberId }: Person) => ({ ...call, memberId, now: clock.now() })
  await handlers['POST finance/transferIn']({ amount: saved.shares, requestId: ids.uuid() }, callOf(saver))
  await handlers['POST finance/transferIn']({ amount: borrowed.shares, requestId: ids.uuid() }, callOf(borrower))
  const project = (await listAllProjects(db)).find(({ collateral_asset }) => collateral_asset === 'JU')
  if (project === undefined) throw new Error('There is no project for loans on JU')
  await handlers['POST lending/borrow'](
    { projectNo: project.project_no, ...loan, requestId: ids.uuid() },
    callOf(borrower),
  )
  const quote = await handlers['GET lever/quote'](position, callOf(borrower))
  const minBought = toBaseUnits(quote.bought)
  const opening = { ...position, minBought, acceptWarning: false, requestId: ids.uuid() }
  await handlers['POST lever/open'](opening, callOf(borrower))
}

/** Closes the days of lending that are over, each in the night after it, as the service does. Prices move from night to night. */
export async function closeLendingDays(past: Past, nowMs: number, settle: () => Promise<void>): Promise<void> {
  const { db, chain } = past
  const clock = clockOf(chain)
  const close = periodicTasks(db, clock, 0)['credit-close']
  const first = startOfDay(utcDay(clock.now())).getTime() + DAY_MS
  for (let night = 0; ; night += 1) {
    const at = first + night * DAY_MS + CLOSING_MINUTES * MINUTE_MS
    if (at >= nowMs) return
    await trade(past, night)
    await chain.mine(at / 1_000)
    await observe(past)
    // A close waits with interest for the day's last block.
    await settle()
    await close?.run()
  }
}

/** The owner buys this of the pairs' assets in the nights, in USDT. */
const trades = { HASH: [70_000, 55_000, 0, 90_000], JU: [0, 60_000, 110_000, 40_000] } as const

/** The owner, who has plenty, buys in both pairs. */
async function trade({ chain, deployment }: Past, night: number): Promise<void> {
  const { router, usdt: paid, hash, wju } = deployment
  const buying = (token: Hex, amount: number): Sending => {
    const args = [usdt(amount), 1n, [paid, token], accountAt(0).address, 2n ** 40n] as const
    const data = encodeFunctionData({ abi: uniswapV2RouterAbi, functionName: 'swapExactTokensForTokens', args })
    return { to: router, data, gas: 300_000n }
  }
  const amounts = [[hash, trades.HASH[night]] as const, [wju, trades.JU[night]] as const]
  const buys = amounts.flatMap(([token, amount = 0]) => (amount === 0 ? [] : [buying(token, amount)]))
  await send({ chain }, 0, buys)
}

/** Looks at the pairs, as the service does every few seconds. */
async function observe({ db, chain, deployment: { hash, wju, hashPair, juPair } }: Past): Promise<void> {
  const config = { hash: lower(hash), wju: lower(wju), hashPair: lower(hashPair), juPair: lower(juPair) }
  await composeUpkeep({ db, client: clientOf(chain), log: silentLog(), config }).observePrices()
}

const call = {
  lang: 'tw',
  callId: 'history',
  clientAddress: '127.0.0.1',
  userAgent: 'history',
  sessionId: 'history',
} as const
