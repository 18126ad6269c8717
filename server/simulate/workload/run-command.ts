import { attempt, type Command, type Simulation } from '../run/simulation.ts'
import { idleProcesses } from './process-actions.ts'

/**
 * Runs a member's command. It is kept to be retried when a process has crashed meanwhile.
 * @param isRepeated keeps it in any case, as an impatient client sends it twice
 */
export async function runCommand(simulation: Simulation, command: Command, isRepeated = false): Promise<void> {
  const [process] = idleProcesses(simulation)
  if (process === undefined) return
  const startedBefore = simulation.started
  await attempt(simulation, process, () => command.run(process))
  if (simulation.started !== startedBefore || isRepeated) simulation.pendingCommands.push(command)
}

/** Sends every command again that may have had no response. */
export async function retryPendingCommands(simulation: Simulation): Promise<void> {
  const { pendingCommands } = simulation
  for (let next = pendingCommands.shift(); next !== undefined; next = pendingCommands.shift()) {
    await runCommand(simulation, next)
  }
}
