import { nextRequestId } from './next-request-id.ts'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import type { Hex } from 'viem'
import { faultProfiles, profileWeights } from '../faults/fault-profile.ts'
import { lendingWorks, works } from '../run/server-process.ts'
import { FUND, type Simulation, throwFirstViolation, WHOLE } from '../run/simulation.ts'
import {
  buildBranch,
  cancelTransaction,
  dropTransaction,
  GWEI,
  mine,
  reorganise,
  reorganiseDeeply,
  send,
} from './chain-actions.ts'
import { repayOnChain, requestLending } from './lending-actions.ts'
import { announceTaking, attestDay } from './attest-actions.ts'
import { handOver, loseDatabase, loseLease, pauseLeader } from '../lease/lease-actions.ts'
import { closeDay, movePrice, pushPrice, resumePrices } from './market-actions.ts'
import { arriveLate } from './run-command.ts'
import { pay, requestPayment, requestWithdrawal } from './member-actions.ts'
import type { Wallet } from '../model/wallets.ts'
import {
  approveReviewed,
  followBranch,
  followOtherChain,
  idleProcesses,
  race,
  resumeAfterHalt,
  runWork,
  stallNodes,
} from './process-actions.ts'

/** Each kind of step with its weight. */
const stepWeights = {
  pay: 11,
  requestPayment: 10,
  requestWithdrawal: 10,
  mine: 22,
  work: 26,
  workRound: 10,
  race: 3,
  crash: 4,
  reorganise: 4,
  buildBranch: 4,
  followBranch: 1,
  followOtherChain: 1,
  stallNodes: 1,
  dropTransaction: 3,
  cancelTransaction: 1,
  requestLending: 26,
  arriveLate: 5,
  repayOnChain: 5,
  lendingWork: 8,
  movePrice: 4,
  pushPrice: 4,
  closeDay: 3,
  attestDay: 4,
  announceTaking: 1,
  resumePrices: 3,
  changeGasPrice: 2,
  pauseContract: 1,
  changeWallet: 4,
  approveReviewed: 1,
  advanceTime: 1,
  mineMany: 1,
  reorganiseDeeply: 0.3,
  resumeAfterHalt: 1,
}
type Step = keyof typeof stepWeights | keyof typeof leaseWeights
/** The weights of work under a lease. */
const leaseWeights = { pauseLeader: 5, loseLease: 3, loseDatabase: 2, handOver: 3 }

/** The kinds that a member's wallet becomes. */
const walletWeights: Record<Wallet, number> = { takes: 3, refuses: 1, refusesPriced: 2, refusesMined: 4, returns: 1 }

/** Steps that may happen while a request is under way. */
const interleavedWeights = {
  mine: 5,
  work: 5,
  followBranch: 8,
  reorganise: 2,
  buildBranch: 2,
  dropTransaction: 1,
  pay: 1,
} as const satisfies Partial<Record<Step, number>>

/** Runs this many random steps one after the other, and changes the fault profile after every twelve. */
export async function runWorkload(simulation: Simulation, steps: number): Promise<void> {
  const { network, random } = simulation
  await fundMembers(simulation)
  await startLending(simulation)
  // Without an attestation nobody can leave the contract; it is not always final before the first fault.
  if (simulation.endsWithExit) await attestDay(simulation)
  let depth = 0
  network.interleave = async () => {
    if (depth >= 2 || simulation.lease?.isAlone === true) return
    depth += 1
    try {
      await runStep(simulation, random.weighted(interleavedWeights))
    } finally {
      depth -= 1
    }
  }
  const weights: Partial<Record<Step, number>> =
    simulation.lease === null ? stepWeights : { ...stepWeights, ...leaseWeights }
  for (let count = 0; count < steps; count++) {
    if (count % 12 === 0) changeFaultProfile(simulation)
    await runStep(simulation, random.weighted(weights as Record<Step, number>))
    throwFirstViolation(simulation)
  }
}

/** Gives every member a balance of each asset. */
async function fundMembers(simulation: Simulation): Promise<void> {
  const deposit = (owner: Hex, asset: AssetCode, amount: bigint) =>
    send(simulation, owner, { do: 'recharge', key: 'deposit', asset, amount, customer: owner, reference: '' })
  for (const owner of simulation.members) for (const asset of assetCodes) deposit(owner, asset, 150n * WHOLE)
  deposit(simulation.lender, 'USDT', FUND)
  for (let blocks = 0; blocks <= simulation.confirmations.large; blocks++) mine(simulation, 5, 1)
  for (const kind of ['follow', 'credit', 'reconcile'] as const) {
    await runWork(simulation, simulation.processes[0], kind, 20)
  }
}

/** Fills the fund, and observes prices for longer than their averages look back. */
async function startLending(simulation: Simulation): Promise<void> {
  const { processes, lender, memberIds, lending } = simulation
  const [process] = processes
  const memberId = memberIds.get(lender)
  if (process === undefined || memberId === undefined) throw new Error('a simulation has a process and a lender')
  const requestId = nextRequestId(simulation)
  const input = { amount: FUND, requestId }
  await process.handlers['POST finance/transferIn'](input, process.contextOf(memberId))
  const effect = { memberId, balances: [{ asset: 'USDT' as const, amount: -FUND }] }
  lending.done.set(requestId, { act: 'fundIn', effect })
  for (const seconds of [1, 400, 1_500]) {
    mine(simulation, seconds, 1)
    await runWork(simulation, process, 'observePrices')
  }
}

function changeFaultProfile({ network, random, trace }: Simulation): void {
  const name = random.weighted(profileWeights)
  trace('fault profile', name)
  network.profile = faultProfiles[name]
}

async function runStep(simulation: Simulation, step: Step): Promise<void> {
  const { random, network } = simulation
  simulation.trace(step)
  await simulation.lease?.follow()
  switch (step) {
    case 'pauseLeader':
      return pauseLeader(simulation)
    case 'loseLease':
      return loseLease(simulation)
    case 'loseDatabase':
      return loseDatabase(simulation)
    case 'handOver':
      return handOver(simulation)
    case 'pay':
      return pay(simulation)
    case 'requestPayment':
      return requestPayment(simulation)
    case 'requestWithdrawal':
      return requestWithdrawal(simulation)
    case 'mine':
      return mine(simulation, 1 + random.below(12), 0.8)
    case 'work':
      return runWork(simulation, random.pick(idleProcesses(simulation)), random.pick(works))
    case 'workRound':
      for (const kind of ['follow', 'credit', 'reconcile', 'payOut'] as const) {
        await runWork(simulation, random.pick(idleProcesses(simulation)), kind, kind === 'follow' ? 8 : 4)
      }
      return
    case 'race':
      return race(simulation)
    case 'crash':
      random.pick(simulation.processes).crashPoint.crashAfter(random.below(30))
      return
    case 'reorganise':
      return reorganise(simulation)
    case 'buildBranch':
      return buildBranch(simulation)
    case 'followBranch':
      return followBranch(simulation)
    case 'followOtherChain':
      return followOtherChain(simulation)
    case 'stallNodes':
      return stallNodes(simulation)
    case 'dropTransaction':
      return dropTransaction(simulation)
    case 'cancelTransaction':
      return cancelTransaction(simulation)
    case 'requestLending':
      return requestLending(simulation)
    case 'arriveLate':
      return arriveLate(simulation)
    case 'repayOnChain':
      return repayOnChain(simulation)
    case 'lendingWork':
      return runWork(simulation, random.pick(idleProcesses(simulation)), random.pick(lendingWorks))
    case 'movePrice':
      return movePrice(simulation)
    case 'pushPrice':
      return pushPrice(simulation)
    case 'closeDay':
      return closeDay(simulation)
    case 'attestDay':
      return attestDay(simulation)
    case 'announceTaking':
      return announceTaking(simulation)
    case 'resumePrices':
      return resumePrices(simulation)
    case 'changeGasPrice':
      network.gasPrice = GWEI * BigInt(1 + random.below(random.chance(0.2) ? 700 : 6))
      return
    case 'pauseContract':
      return send(simulation, simulation.strangers[0], { do: 'pause', paused: random.chance(0.5) })
    case 'changeWallet':
      return send(simulation, random.pick(simulation.members), { do: 'become', wallet: random.weighted(walletWeights) })
    case 'advanceTime':
      return mine(simulation, random.pick([200, 400, 1000, 90_000]), 0.8)
    case 'mineMany':
      for (let blocks = 10 + random.below(70); blocks > 0; blocks--) mine(simulation, 1, 0.9)
      return
    case 'reorganiseDeeply':
      return reorganiseDeeply(simulation)
    case 'approveReviewed':
      return approveReviewed(simulation)
    case 'resumeAfterHalt':
      return resumeAfterHalt(simulation)
  }
}
