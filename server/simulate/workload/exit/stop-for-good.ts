import type { Work } from '../../run/server-process.ts'
import type { Simulation } from '../../run/simulation.ts'
import { makeAttestationDue } from '../attest-actions.ts'
import { mine } from '../chain-actions.ts'
import { endDay } from '../market-actions.ts'
import { requestWithdrawal } from '../member-actions.ts'
import { idleProcesses, leaders, runWork } from '../process-actions.ts'

/**
 * Kills every process of the service for good, at once: between two pieces of work, or at any statement or request of one. What was
 * sent to the chain stays there.
 */
export async function stopForGood(simulation: Simulation): Promise<void> {
  const { random, processes, trace } = simulation
  const during = random.weighted({ nothing: 1, payOut: 3, attest: 4, close: 2, credit: 1 })
  const kinds = await prepare(simulation, during)
  const [process] = leaders(simulation)
  process?.crashPoint.crashAfter(random.below(60))
  for (const kind of kinds) {
    if (process === undefined || process.crashPoint.isReached) break
    await runWork(simulation, process, kind, 4)
    if (kind === 'attest') mine(simulation, 31, 0.9)
  }
  // Also what took the place of a process that has crashed until now.
  processes.length = 0
  trace('killed for good during', during)
}

/** Makes sure that there is something to do, and says what will be interrupted. */
async function prepare(
  simulation: Simulation,
  during: 'nothing' | 'payOut' | 'attest' | 'close' | 'credit',
): Promise<Work[]> {
  const { confirmations } = simulation
  switch (during) {
    case 'nothing':
      return []
    case 'payOut':
      for (let count = 0; count < 4; count++) await requestWithdrawal(simulation)
      mine(simulation, 3, 0.9)
      await runWork(simulation, idleProcesses(simulation)[0], 'follow', 8)
      return ['payOut', 'payOut', 'payOut']
    case 'attest':
      await makeAttestationDue(simulation)
      return ['attest', 'attest', 'follow', 'attest', 'attest', 'follow', 'attest']
    case 'close':
      await endDay(simulation)
      return ['closeLending', 'closeIncome']
    case 'credit':
      break
  }
  for (let blocks = confirmations.large; blocks > 0; blocks--) mine(simulation, 2, 0.9)
  return ['follow', 'credit', 'credit']
}
