import { assetCodes } from '@candela/protocol/money/assets'
import { faultProfiles, profileWeights } from '../faults/fault-profile.ts'
import { works } from '../run/server-process.ts'
import { type Simulation, throwFirstViolation, WHOLE } from '../run/simulation.ts'
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
import { pay, requestPayment, requestWithdrawal } from './member-actions.ts'
import {
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
  changeGasPrice: 2,
  pauseContract: 1,
  rejectPayments: 1,
  advanceTime: 1,
  mineMany: 1,
  reorganiseDeeply: 0.3,
  resumeAfterHalt: 1,
}
type Step = keyof typeof stepWeights

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
  let depth = 0
  network.interleave = async () => {
    if (depth >= 2) return
    depth += 1
    try {
      await runStep(simulation, random.weighted(interleavedWeights))
    } finally {
      depth -= 1
    }
  }
  for (let count = 0; count < steps; count++) {
    if (count % 12 === 0) changeFaultProfile(simulation)
    await runStep(simulation, random.weighted(stepWeights))
    throwFirstViolation(simulation)
  }
}

/** Gives every member a balance of each asset. */
async function fundMembers(simulation: Simulation): Promise<void> {
  for (const owner of simulation.members) {
    for (const asset of assetCodes) {
      const amount = 150n * WHOLE
      send(simulation, owner, { do: 'recharge', key: 'deposit', asset, amount, customer: owner, reference: '' })
    }
  }
  for (let blocks = 0; blocks <= simulation.confirmations.large; blocks++) mine(simulation, 5, 1)
  for (const kind of ['follow', 'credit', 'reconcile'] as const) {
    await runWork(simulation, simulation.processes[0], kind, 20)
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
  switch (step) {
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
      for (const kind of ['follow', 'credit', 'payOut', 'reconcile'] as const) {
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
    case 'changeGasPrice':
      network.gasPrice = GWEI * BigInt(1 + random.below(random.chance(0.2) ? 700 : 6))
      return
    case 'pauseContract':
      return send(simulation, simulation.strangers[0], { do: 'pause', paused: random.chance(0.5) })
    case 'rejectPayments':
      return send(simulation, random.pick(simulation.members), { do: 'refuse', refuses: random.chance(0.5) })
    case 'advanceTime':
      return mine(simulation, random.pick([200, 400, 1000, 90_000]), 0.8)
    case 'mineMany':
      for (let blocks = 10 + random.below(70); blocks > 0; blocks--) mine(simulation, 1, 0.9)
      return
    case 'reorganiseDeeply':
      return reorganiseDeeply(simulation)
    case 'resumeAfterHalt':
      return resumeAfterHalt(simulation)
  }
}
