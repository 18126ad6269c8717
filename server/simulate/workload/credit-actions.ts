import { collateralAssets } from '@candela/protocol/credit/choices'
import { toBaseUnits } from '@candela/protocol/money/money'
import type { CreditAct, Effect, KnownLoan } from '../run/credit-book.ts'
import { priceOf, type ServerProcess } from '../run/server-process.ts'
import { type Simulation, violation, WHOLE } from '../run/simulation.ts'
import { send } from './chain-actions.ts'
import { runCommand } from './run-command.ts'

/** What members do with the fund and with loans. */

const actWeights: Record<CreditAct, number> = {
  fundIn: 2,
  fundOut: 2,
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

export async function requestCredit(simulation: Simulation): Promise<void> {
  const { random } = simulation
  const name = random.weighted(actWeights)
  const act = prepare(simulation, name)
  if (act === undefined) return
  simulation.trace(name)
  const requestId = `request-${++simulation.requests}`
  const run = async (process: ServerProcess) => {
    acknowledge(simulation, requestId, name, act.memberId, await act.run(process, requestId))
  }
  await runCommand(simulation, { name, run }, random.chance(0.15))
}

/** Notes what was answered. The same request must not be answered differently. */
function acknowledge(simulation: Simulation, requestId: string, act: CreditAct, memberId: bigint, done: Done): void {
  const { credit } = simulation
  const { opened, ...effect } = { memberId, ...done }
  const before = credit.done.get(requestId)
  if (before !== undefined) {
    if (describe(before.effect) === describe(effect)) return
    throw violation(simulation, `${requestId} did ${describe(before.effect)}, then ${describe(effect)}`)
  }
  simulation.trace('acknowledged', requestId)
  credit.done.set(requestId, { act, effect })
  if (opened !== undefined) credit.loans.push({ ...opened, memberId })
}

const describe = ({ memberId, balances, loanNo, collateral, repaid }: Effect): string =>
  [memberId, ...balances.flatMap(({ asset, amount }) => [amount, asset]), loanNo, collateral, repaid].join(' ')

function prepare(simulation: Simulation, name: CreditAct): Act | undefined {
  switch (name) {
    case 'fundIn':
    case 'fundOut':
      return moveInFund(simulation, name)
    case 'borrow':
      return borrow(simulation)
    case 'openLever':
      return openLever(simulation)
    default: {
      const levers = simulation.credit.loans.filter(({ kind }) => name !== 'closeLever' || kind === 'lever')
      return levers.length === 0 ? undefined : changeLoan(simulation, name, simulation.random.pick(levers.slice(-5)))
    }
  }
}

const anyMember = ({ random, members, memberIds }: Simulation): bigint => memberIds.get(random.pick(members)) as bigint

function moveInFund(simulation: Simulation, name: 'fundIn' | 'fundOut'): Act {
  const { random } = simulation
  const memberId = anyMember(simulation)
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
  const { random, credit, chain } = simulation
  const memberId = anyMember(simulation)
  const asset = random.weighted({ JU: 4, HASH: 1 })
  const amount = BigInt(10 + random.below(50)) * WHOLE + BigInt(random.below(1_000_000))
  const price = chain.head.state.pairOf(asset).price
  // Between what is just not enough at the initial rate of one half and something more.
  const collateral = (amount * 2n * BigInt(99 + random.below(40)) * WHOLE) / (price * 100n)
  const days = random.pick([30, 90])
  return {
    memberId,
    async run({ handlers, contextOf }, requestId) {
      const input = { projectNo: credit.projects[asset], amount, collateral, days, requestId }
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

function changeLoan({ random }: Simulation, name: CreditAct, { loanNo, memberId, asset, lent }: KnownLoan): Act {
  const mode = random.pick(['next', 'full', 'amount'] as const)
  const part = (lent * BigInt(1 + random.below(120))) / 100n + BigInt(random.below(1_000))
  const collateral = (lent * BigInt(1 + random.below(20)) * WHOLE) / (priceOf(asset) * 100n)
  const count = random.pick([3, 6, 9, 12] as const)
  const percent = random.pick([1, 25, 50, 100])
  // With these modes the amount is the most that is taken.
  const most = mode === 'amount' ? part : 1_000_000n * WHOLE
  return {
    memberId,
    async run({ handlers, contextOf }, requestId): Promise<Done> {
      const context = contextOf(memberId)
      switch (name) {
        case 'repay': {
          const answer = await handlers['POST lending/repay']({ loanNo, mode, amount: most, requestId }, context)
          const repaid = toBaseUnits(answer.paid)
          return { balances: [{ asset: 'USDT', amount: -repaid }], loanNo, repaid }
        }
        case 'installments':
          await handlers['POST lending/installment']({ loanNo, count, requestId }, context)
          return { balances: [], loanNo }
        case 'addCollateral':
          await handlers['POST lending/addCollateral']({ loanNo, amount: collateral, requestId }, context)
          return { balances: [{ asset, amount: -collateral }], loanNo, collateral }
        case 'releaseCollateral':
          await handlers['POST lending/releaseCollateral']({ loanNo, amount: collateral, requestId }, context)
          return { balances: [{ asset, amount: collateral }], loanNo, collateral: -collateral }
        default: {
          const answer = await handlers['POST lever/close']({ loanNo, percent, minProceeds: 1n, requestId }, context)
          const repaid = toBaseUnits(answer.repaid)
          const amount = toBaseUnits(answer.proceeds) - repaid
          return { balances: [{ asset: 'USDT', amount }], loanNo, collateral: -toBaseUnits(answer.sold), repaid }
        }
      }
    },
  }
}

/** Pays a loan on chain: its owner or anybody else, a part or too much, sometimes in the wrong asset. */
export function repayOnChain(simulation: Simulation): void {
  const { random, credit, members, strangers } = simulation
  if (credit.loans.length === 0) return
  const { loanNo, lent } = random.pick(credit.loans.slice(-6))
  const from = random.pick([...members, ...members, ...strangers])
  const asset = random.chance(0.9) ? 'USDT' : 'HASH'
  const amount = (lent * BigInt(5 + random.below(120))) / 100n + BigInt(random.below(1_000))
  send(simulation, from, { do: 'recharge', key: 'repay', asset, amount, customer: from, reference: loanNo })
}
