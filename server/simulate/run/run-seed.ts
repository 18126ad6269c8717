import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '@candela/server/db/open'
import { stopwatch } from '@candela/server/kernel/clock'
import { reasonOf } from '@candela/server/kernel/errors'
import type { DatabasePool } from './databases.ts'
import { checkOutcome } from '../oracle/oracle.ts'
import { replay } from '../oracle/replay.ts'
import { runExit } from '../workload/exit/run-exit.ts'
import { quiesce } from '../workload/quiesce.ts'
import { runWorkload } from '../workload/workload.ts'
import { lendingFigures } from '../oracle/lending-figures.ts'
import { createSimulation, type Simulation, type SimulationOptions } from './simulation.ts'

/** How often something happened, by name. */
export type Figures = Record<'payments' | 'payouts' | 'restarts' | 'blocks', number> & {
  lending: Record<string, number>
  /** The counts of simulations that end with an exit. */
  exit: Record<string, number>
  /** The counts of simulations in which work is done under a lease. */
  lease: Record<string, number>
}

export type SeedResult = {
  seed: number
  /** Descriptions of what does not hold; empty when all checks pass. */
  findings: string[]
  /** Hash of all steps and of the final ledger: the same for the same seed. */
  hash: string
  figures: Figures
  took_ms: number
}

const STEPS = 100
/** Before the service is killed for good. */
const MIN_STEPS = 30

export type SeedOptions = SimulationOptions & {
  /** Gets every line of the trace. */
  onLine?: (line: string) => void
}

/** Runs one simulation and checks its outcome. */
export async function runSeed(
  pool: DatabasePool,
  seed: number,
  { onLine, ...options }: SeedOptions = { exit: false, workers: 1 },
): Promise<SeedResult> {
  const elapsed = stopwatch()
  await using database = await pool.open()
  const simulation = await createSimulation(seed, database, options)
  const findings: string[] = []
  try {
    if (simulation.endsWithExit) {
      await runWorkload(simulation, MIN_STEPS + simulation.random.below(STEPS - MIN_STEPS))
      findings.push(...(await runExit(simulation)))
    } else {
      await runWorkload(simulation, STEPS)
      await quiesce(simulation)
      findings.push(...(await checkOutcome(simulation)))
      if (findings.length === 0) {
        await using empty = await pool.open()
        findings.push(...(await replay(simulation, empty.db)))
      }
    }
  } catch (error) {
    findings.push(reasonOf(error), ...causesOf(error))
  } finally {
    for (const { leading } of simulation.allProcesses) await leading?.kill()
  }
  for (const line of onLine === undefined ? [] : simulation.lines) onLine?.(line)
  const hash = `${simulation.traceHash()}-${await digest(database.db)}`
  return { seed, findings, hash, figures: await figuresOf(simulation), took_ms: elapsed() }
}

function causesOf(error: unknown): string[] {
  if (!(error instanceof Error) || error.cause === undefined) return []
  return [error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : reasonOf(error.cause)]
}

async function figuresOf(simulation: Simulation): Promise<Figures> {
  const { chain, started } = simulation
  const receipts = chain.above(null, chain.head).flatMap((block) => block.receipts)
  return {
    payments: receipts.filter(({ moneyIn }) => moneyIn !== undefined).length,
    payouts: receipts.filter(({ moneyOut }) => moneyOut !== undefined).length,
    restarts: started - 2,
    blocks: chain.head.number - 100,
    lending: await lendingFigures(simulation),
    exit: simulation.exit,
    lease: simulation.lease?.counts ?? {},
  }
}

/** Hash of the ledger's entries in the order of posting ids, without sequence numbers, which depend on batches. */
async function digest(db: Database): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws('|', p.id, p.kind, p.memo, p.occurred_at, e.line, e.account, e.amount) as line
    from ledger_posting p join ledger_entry e on e.posting = p.seq order by p.id, e.line`.execute(db)
  const hash = createHash('sha256')
  for (const { line } of rows) hash.update(`${line}\n`)
  return hash.digest('hex').slice(0, 16)
}
