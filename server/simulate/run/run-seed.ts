import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '@candela/server/db/open'
import { stopwatch } from '@candela/server/kernel/clock'
import { reasonOf } from '@candela/server/kernel/errors'
import type { DatabaseSource } from './databases.ts'
import { judge } from '../oracle/oracle.ts'
import { replay } from '../oracle/replay.ts'
import { settle } from '../workload/quiesce.ts'
import { happen } from '../workload/workload.ts'
import { makeWorld, type World } from './simulation.ts'

export type Verdict = {
  seed: number
  /** What does not hold; empty is good. */
  findings: string[]
  /** Of everything that happened and of how it ended: the same for the same seed. */
  hash: string
  figures: { payments: number; payouts: number; restarts: number; blocks: number }
  took_ms: number
}

const STEPS = 70

/** Lets one story happen and judges how it ends. `tell` gets every line of it. */
export async function runSeed(source: DatabaseSource, seed: number, tell?: (line: string) => void): Promise<Verdict> {
  const elapsed = stopwatch()
  await using database = await source.open()
  const world = await makeWorld(seed, database.db)
  const findings: string[] = []
  try {
    await happen(world, STEPS)
    await settle(world)
    findings.push(...(await judge(world)))
    if (findings.length === 0) {
      await using empty = await source.open()
      findings.push(...(await replay(world, empty.db)))
    }
  } catch (error) {
    findings.push(reasonOf(error), ...causesOf(error))
  }
  for (const line of tell === undefined ? [] : world.lines) tell?.(line)
  const hash = `${world.traceHash()}-${await digest(database.db)}`
  return { seed, findings, hash, figures: figuresOf(world), took_ms: elapsed() }
}

function causesOf(error: unknown): string[] {
  if (!(error instanceof Error) || error.cause === undefined) return []
  return [error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : reasonOf(error.cause)]
}

function figuresOf({ chain, started }: World): Verdict['figures'] {
  const receipts = chain.above(null, chain.head).flatMap((block) => block.receipts)
  return {
    payments: receipts.filter(({ moneyIn }) => moneyIn !== undefined).length,
    payouts: receipts.filter(({ moneyOut }) => moneyOut !== undefined).length,
    restarts: started - 2,
    blocks: chain.head.number - 100,
  }
}

/** The journal in the order of its ids, without the numbers that batches were given. */
async function digest(db: Database): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws('|', p.id, p.kind, p.memo, p.occurred_at, e.line, e.account, e.amount) as line
    from ledger_posting p join ledger_entry e on e.posting = p.seq order by p.id, e.line`.execute(db)
  const hash = createHash('sha256')
  for (const { line } of rows) hash.update(`${line}\n`)
  return hash.digest('hex').slice(0, 16)
}
