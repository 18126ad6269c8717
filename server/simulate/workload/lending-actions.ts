import { nextRequestId } from './next-request-id.ts'
import { collateralAssets } from '@candela/protocol/lending/choices'
import { toBaseUnits } from '@candela/protocol/money/money'
import type { LendingAct, Effect, KnownLoan } from '../run/lending-book.ts'
import { priceOf, type ServerProcess } from '../run/server-process.ts'
import { type Simulation, violation, WHOLE } from '../run/simulation.ts'
import { mine, send } from './chain-actions.ts'
import { idleProcesses, runWork } from './process-actions.ts'
import { runCommand } from './run-command.ts'

/** The acts of members with the fund and with loans. */

const actWeights: Record<LendingAct, number> = {
  fundIn: 3,
  fundOut: 3,
  borrow: 6,
  repay: 4,
  installments: 2,
  addCollateral: 2,
  releaseCollateral: 2,
  openLever: 4,
  closeLever: 3,
}

type Done = Omit<Effect, 'memberId'> & { opened?: Omit<KnownLoan, 'memberId'> }
/** One request of a member, which does the same however often it is sent. */
type Act = { memberId: bigint; run: (process: ServerProcess, requestId: string) => Promise<Done> }

export async function requestLending(simulation: Simulation): Promise<void> {
  const { random } = simulation
  const name = random.weighted(actWeights)
  // Without a current price most acts are refused.
  if (random.chance(0.6)) {
    mine(simulation, 1 + random.below(5), 0.8)
    await runWork(simulation, idleProcesses(simulation)[0], 'observePrices')
  }
  const act = await prepare(simulation, name)
  if (act === undefined) return
  simulation.trace(name)
  const { memberId } = act
  const run = async (process: ServerProcess, requestId: string) => {
    const done = await act.run(process, requestId)
    return () => acknowledge(simulation, requestId, name, memberId, done)
  }
  const command = { name, memberId, requestId: nextRequestId(simulation), run }
  await runCommand(simulation, command, random.chance(0.15))
}

/** Notes what was answered. The same request must not be answered differently. */
function acknowledge(simulation: Simulation, requestId: string, act: LendingAct, memberId: bigint, done: Done): void {
  const { lending } = simulation
  const { opened, ...effect } = { memberId, ...done }
  const before = lending.done.get(requestId)
  if (before !== undefined) {
    if (describe(before.effect) === describe(effect)) return
    throw violation(simulation, `${requestId} did ${describe(before.effect)}, then ${describe(effect)}`)
  }
  simulation.trace('acknowledged', requestId)
  lending.done.set(requestId, { act, effect })
  if (opened !== undefined) lending.loans.push({ ...opened, memberId })
}

const describe = ({ memberId, balances, loanNo, collateral, repaid }: Effect): string =>
  [memberId, ...balances.flatMap(({ asset, amount }) => [amount, asset]), loanNo, collateral, repaid].join(' ')

/** @returns undefined when there is no loan for it */
function prepare(simulation: Simulation, name: LendingAct): Act | Promise<Act | undefined> {
  if (name === 'fundIn' || name === 'fundOut') return moveInFund(simulation, name)
  if (name === 'borrow') return borrow(simulation)
  return name === 'openLever' ? openLever(simulation) : changeSomeLoan(simulation, name)
}

async function changeSomeLoan(simulation: Simulation, name: LoanAct): Promise<Act | undefined> {
  const loans = await mostlyOpenLoans(simulation)
  const fitting = loans.filter(({ kind }) => name !== 'closeLever' || kind === 'lever')
  return fitting.length === 0 ? undefined : changeLoan(simulation, name, simulation.random.pick(fitting))
}

async function mostlyOpenLoans({ db, random, lending }: Simulation): Promise<KnownLoan[]> {
  if (random.chance(0.15)) return lending.loans
  const rows = await db.selectFrom('loan').select('loan_no').where('closed_at', 'is', null).execute()
  const open = new Set(rows.map(({ loan_no }) => loan_no))
  return lending.loans.filter(({ loanNo }) => open.has(loanNo))
}

const anyMember = ({ random, members, memberIds }: Simulation): bigint => memberIds.get(random.pick(members)) as bigint

/** Mostly a member who has put money into the fund. */
function anyoneInFund(simulation: Simulation): bigint {
  const { random, lending, lender, memberIds } = simulation
  const inside = [...lending.done.values()]
    .filter(({ act, effect }) => act === 'fundIn' && effect.memberId !== memberIds.get(lender))
    .map(({ effect }) => effect.memberId)
  return inside.length === 0 || random.chance(0.1) ? anyMember(simulation) : random.pick(inside)
}

function moveInFund(simulation: Simulation, name: 'fundIn' | 'fundOut'): Act {
  const { random } = simulation
  const memberId = name === 'fundIn' ? anyMember(simulation) : anyoneInFund(simulation)
  const amount = BigInt(1 + random.below(40)) * WHOLE
  const isAll = random.chance(0.3)
  return {
    memberId,
    async run({ handlers, contextOf }, requestId) {
      const context = contextOf(memberId)
      if (name === 'fundIn') {
        await handlers['POST finance/transferIn']({ amount, requestId }, context)
        return { balances: [{ asset: 'USDT', amount: -amount }] }
      }
      const input = isAll ? { all: '1' as const, requestId } : { amount, requestId }
      const moved = await handlers['POST finance/transferOut'](input, context)
      return { balances: [{ asset: 'USDT', amount: toBaseUnits(moved.amount) }] }
    },
  }
}

function borrow(simulation: Simulation): Act {
  const { random, lending, chain } = simulation
  const memberId = anyMember(simulation)
  const asset = random.weighted({ JU: 4, HASH: 1 })
  const amount = BigInt(10 + random.below(50)) * WHOLE + BigInt(random.below(1_000_000))
  const price = chain.head.state.priceOf(asset)
  // Between what is just not enough at the initial rate of one half and something more.
  const collateral = (amount * 2n * BigInt(99 + random.below(40)) * WHOLE) / (price * 100n)
  const days = random.pick([30, 90])
  return {
    memberId,
    async run({ handlers, contextOf }, requestId) {
      const input = { projectNo: lending.projects[asset], amount, collateral, days, requestId }
      const { loan } = await handlers['POST lending/borrow'](input, contextOf(memberId))
      const balances = [
        { asset: 'USDT' as const, amount },
        { asset, amount: -collateral },
      ]
      const { loanNo } = loan
      return { balances, loanNo, collateral, opened: { loanNo, kind: 'project', asset, lent: amount } }
    },
  }
}

function openLever(simulation: Simulation): Act {
  const { random } = simulation
  const memberId = anyMember(simulation)
  const asset = random.pick(collateralAssets)
  const margin = BigInt(10 + random.below(25)) * WHOLE
  const ratio = 20 + random.below(21)
  const days = random.pick([7, 30])
  return {
    memberId,
    async run({ handlers, contextOf }, requestId) {
      const input = { asset, margin, ratio, days, minBought: 1n, acceptWarning: true, requestId }
      const { loan } = await handlers['POST lever/open'](input, contextOf(memberId))
      const { loanNo } = loan
      const balances = [{ asset: 'USDT' as const, amount: -margin }]
      return { balances, loanNo, opened: { loanNo, kind: 'lever', asset, lent: toBaseUnits(loan.lent) } }
    },
  }
}

type LoanAct = Exclude<LendingAct, 'fundIn' | 'fundOut' | 'borrow' | 'openLever'>

function changeLoan({ random }: Simulation, name: LoanAct, loan: KnownLoan): Act {
  const { loanNo, memberId, asset, lent } = loan
  const mode = random.pick(['next', 'full', 'amount'] as const)
  const part = (lent * BigInt(1 + random.below(120))) / 100n + BigInt(random.below(1_000))
  const collateral = (lent * BigInt(1 + random.below(20)) * WHOLE) / (priceOf(asset) * 100n)
  const count = random.pick([3, 6, 9, 12] as const)
  const percent = random.pick([1, 25, 50, 100])
  // With the other modes the amount is the most that is taken.
  const most = mode === 'amount' ? part : 1_000_000n * WHOLE
  const changes: Record<LoanAct, Act['run']> = {
    async repay({ handlers, contextOf }, requestId) {
      const input = { loanNo, mode, amount: most, requestId }
      const answer = await handlers['POST lending/repay'](input, contextOf(memberId))
      const repaid = toBaseUnits(answer.paid)
      return { balances: [{ asset: 'USDT', amount: -repaid }], loanNo, repaid }
    },
    async installments({ handlers, contextOf }, requestId) {
      await handlers['POST lending/installment']({ loanNo, count, requestId }, contextOf(memberId))
      return { balances: [], loanNo }
    },
    async addCollateral({ handlers, contextOf }, requestId) {
      await handlers['POST lending/addCollateral']({ loanNo, amount: collateral, requestId }, contextOf(memberId))
      return { balances: [{ asset, amount: -collateral }], loanNo, collateral }
    },
    async releaseCollateral({ handlers, contextOf }, requestId) {
      await handlers['POST lending/releaseCollateral']({ loanNo, amount: collateral, requestId }, contextOf(memberId))
      return { balances: [{ asset, amount: collateral }], loanNo, collateral: -collateral }
    },
    async closeLever({ handlers, contextOf }, requestId) {
      const input = { loanNo, percent, minProceeds: 1n, requestId }
      const answer = await handlers['POST lever/close'](input, contextOf(memberId))
      const repaid = toBaseUnits(answer.repaid)
      const amount = toBaseUnits(answer.proceeds) - repaid
      return { balances: [{ asset: 'USDT', amount }], loanNo, collateral: -toBaseUnits(answer.sold), repaid }
    },
  }
  return { memberId, run: changes[name] }
}

/** Pays a loan on chain: its owner or anybody else, a part or too much, sometimes in the wrong asset. */
export async function repayOnChain(simulation: Simulation): Promise<void> {
  const { random, members, strangers } = simulation
  const loans = await mostlyOpenLoans(simulation)
  if (loans.length === 0) return
  const { loanNo, lent } = random.pick(loans)
  const from = random.pick([...members, ...members, ...strangers])
  const asset = random.chance(0.9) ? 'USDT' : 'HASH'
  const amount = (lent * BigInt(5 + random.below(120))) / 100n + BigInt(random.below(1_000))
  send(simulation, from, { do: 'recharge', key: 'repay', asset, amount, customer: from, reference: loanNo })
}
