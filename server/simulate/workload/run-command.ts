import { attempt, type Command, type Simulation, violation } from '../run/simulation.ts'
import type { ServerProcess } from '../run/server-process.ts'
import { nextRequestId } from './next-request-id.ts'
import { idleProcesses } from './process-actions.ts'

/** How many requests of a hundred are held up on their way, and how many answers are lost. */
const LATE = 0.08
const LOST = 0.08

/**
 * Runs a member's command, of which the request may be held up and the answer may be lost. It is kept to be retried when a process
 * has crashed meanwhile.
 * @param isRepeated keeps it in any case, as an impatient client sends it twice
 */
export async function runCommand(simulation: Simulation, command: Command, isRepeated = false): Promise<void> {
  const { random } = simulation
  const [process] = idleProcesses(simulation)
  if (process === undefined) return
  if (random.chance(LATE)) {
    simulation.trace('late', command.requestId)
    simulation.lateCommands.push(command)
    return settle(simulation, command)
  }
  const startedBefore = simulation.started
  const answered = await attempt(simulation, process, () => sent(simulation, process, command))
  if (answered !== undefined && random.chance(LOST)) {
    simulation.trace('answer lost', command.requestId)
    return settle(simulation, command)
  }
  answered?.()
  if (simulation.started !== startedBefore || isRepeated) simulation.pendingCommands.push(command)
}

/** @throws InvariantViolation when what was given up is done */
async function sent(simulation: Simulation, process: ServerProcess, command: Command): Promise<() => void> {
  const answered = await command.run(process, command.requestId)
  if (simulation.givenUp.has(command.requestId))
    throw violation(simulation, `${command.name} ${command.requestId} was done after it was given up`)
  return answered
}

/**
 * As the app does after a lost answer: asks what became of it; while nobody knows, sends it again or gives it up. Only what was given
 * up is asked for anew, under another id.
 */
async function settle(simulation: Simulation, command: Command): Promise<void> {
  const state = await ask(simulation, command, 'GET command/outcome')
  if (state === 'done') return sendAgain(simulation, command)
  if (state === 'unknown' && simulation.random.chance(0.5)) return giveUp(simulation, command)
  if (state === 'unknown' || state === 'underWay') return sendAgain(simulation, command)
  if (state === undefined) simulation.pendingCommands.push(command)
}

async function sendAgain(simulation: Simulation, command: Command): Promise<void> {
  const [process] = idleProcesses(simulation)
  const startedBefore = simulation.started
  const answered = process && (await attempt(simulation, process, () => sent(simulation, process, command)))
  answered?.()
  if (answered !== undefined) return
  // Crashed: it may have been done. Refused: what was sent first may still arrive, so it is given up.
  if (process === undefined || simulation.started !== startedBefore) simulation.pendingCommands.push(command)
  else await giveUp(simulation, command, false)
}

async function giveUp(simulation: Simulation, command: Command, isWantedStill = true): Promise<void> {
  const state = await ask(simulation, command, 'POST command/giveUp')
  if (state !== 'givenUp') simulation.pendingCommands.push(command)
  else {
    simulation.givenUp.add(command.requestId)
    if (isWantedStill) await runCommand(simulation, { ...command, requestId: nextRequestId(simulation) })
  }
}

/** Undefined when there was no answer. */
async function ask(
  simulation: Simulation,
  { memberId, requestId }: Command,
  key: 'GET command/outcome' | 'POST command/giveUp',
): Promise<string | undefined> {
  const [process] = idleProcesses(simulation)
  if (process === undefined) return undefined
  const context = process.contextOf(memberId)
  const told = await attempt(simulation, process, () => process.handlers[key]({ requestId }, context))
  simulation.trace(key, told?.state)
  return told?.state
}

/** Requests arrive that were held up on their way. Nobody waits for their answers. */
export async function arriveLate(simulation: Simulation): Promise<void> {
  for (const command of simulation.lateCommands.splice(0)) {
    const [process] = idleProcesses(simulation)
    if (process === undefined) return void simulation.lateCommands.push(command)
    await attempt(simulation, process, () => sent(simulation, process, command))
  }
}

/** Sends every command again that may have had no response. */
export async function retryPendingCommands(simulation: Simulation): Promise<void> {
  const { pendingCommands } = simulation
  for (let next = pendingCommands.shift(); next !== undefined; next = pendingCommands.shift()) {
    await runCommand(simulation, next)
  }
}
