import { transferTypedData } from '@candela/protocol/chain/typed-data'
import { RpcError } from '@candela/server/chain/ask'
import { memberBalances } from '@candela/server/ledger/balances'
import type { Hex } from 'viem'
import { lower } from '../model/market.ts'
import { WHOLE } from '../run/simulation.ts'
import { send } from '../workload/chain-actions.ts'
import { nextRequestId } from '../workload/next-request-id.ts'
import { type Account, call, type Economy, work } from './economy.ts'

/** Single acts of an adversary, of which strategies are made. A part is a number between 0 and 1. */

export const at = <T>(list: readonly T[], part: number): T =>
  list[Math.min(list.length - 1, Math.floor(part * list.length))] as T
export const upTo = (most: number, part: number): number => Math.ceil(part * most)
export const accountAt = ({ accounts }: Economy, part: number): Account => at(accounts.slice(0, 5), part)

export const balanceOf = async ({ simulation, asset }: Economy, { memberId }: Account) => {
  const { USDT, [asset]: held } = await memberBalances(simulation.db, memberId)
  return { usdt: USDT.available, asset: held.available }
}

/** Borrows the most that the service lends, first as if the price were right. */
export async function borrow(economy: Economy, account: Account, part = 1): Promise<string | null> {
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
export async function exchange(economy: Economy, account: Account, sells: boolean, part = 1): Promise<void> {
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

export async function openLever(economy: Economy, account: Account, ratio: number, part = 1): Promise<string | null> {
  const { asset, pair } = economy
  // All of it, at four times, is nearly the desk's hour.
  const margin = (pair * BigInt(upTo(96, part)) * 10n) / (10_000n * BigInt(ratio))
  const input = { asset, margin, ratio, days: 7, minBought: 1n, acceptWarning: true } as const
  return (await call(economy, account.memberId, 'POST lever/open', input))?.loan.loanNo ?? null
}

export async function closeAll(economy: Economy): Promise<void> {
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

export const moveIntoFund = async (economy: Economy, account: Account, part: number) => {
  const amount = ((await balanceOf(economy, account)).usdt * BigInt(upTo(100, part))) / (100n * WHOLE)
  await call(economy, account.memberId, 'POST finance/transferIn', { amount: amount * WHOLE })
}
export const moveOutOfFund = (economy: Economy, { memberId }: Account) =>
  call(economy, memberId, 'POST finance/transferOut', { all: '1' })

/** Pays a hundredth of a USDT on chain. */
export function payDust(economy: Economy, { signer }: Account, reference: string): void {
  const customer = signer.address.toLowerCase() as Hex
  payOnChain(economy, signer, { key: 'repay', amount: WHOLE / 50n, customer, reference })
}

type Payment = { key: string; amount: bigint; customer: Hex; reference: string }

/** USDT from the wallet. */
export function payOnChain(economy: Economy, { address }: Account['signer'], payment: Payment): void {
  const { simulation } = economy
  economy.paidAt = simulation.chain.head.timestamp
  send(simulation, address.toLowerCase() as Hex, { do: 'recharge', asset: 'USDT', ...payment })
}

/** Pays what an order of power says, on chain. */
export async function buyPower(economy: Economy, { memberId, signer }: Account, units: number): Promise<void> {
  const { simulation } = economy
  const input = { planId: Number(simulation.planId), units, asset: 'USDT' } as const
  const payment = (await call(economy, memberId, 'POST power/getOrder', input))?.order.transaction ?? null
  if (payment === null) return
  const [amount, , customer, reference] = payment.tuple
  payOnChain(economy, signer, { key: payment.abiKey, amount: BigInt(amount), customer: customer as Hex, reference })
}

/** Gives all that an account has to another one. */
export async function transfer(economy: Economy, from: Account, to: Account): Promise<void> {
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

export async function smallLever(economy: Economy, { memberId }: Account): Promise<void> {
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

/** Has a part of what it has paid to its wallet, which is done when it is on chain. */
export async function withdraw(economy: Economy, { memberId }: Account, amount: bigint): Promise<void> {
  // Without a comparison of books and contract nothing is paid out. What is asked after it, the model of the contract does not know.
  await work(economy, 'follow', 'reconcile').catch((error: unknown) => {
    if (!(error instanceof RpcError)) throw error
  })
  await call(economy, memberId, 'POST withdraw/apply', { asset: 'USDT', amount })
}

/** Exchanges an amount to and fro. */
export async function exchangeUnits(economy: Economy, { memberId }: Account, amount: bigint): Promise<void> {
  for (const [from, to] of [
    ['USDT', economy.asset],
    [economy.asset, 'USDT'],
  ] as const) {
    const quote = await call(economy, memberId, 'POST exchange/quote', { from, to, amount })
    if (quote !== null)
      await call(economy, memberId, 'POST exchange/index', { quoteNo: quote.quoteNo, minReceived: 1n })
  }
}
