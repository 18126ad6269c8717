import { z } from 'zod'
import type { Database, Tx } from '../../db/open.ts'

/** `answers`: what each node says, in JSON: the names of the nodes and their answers as texts. */
export type Dispute = { decision: string; answers: string; since: Date; ruledFor: string | null }

const answersOf = z.record(z.string(), z.string())

/** Notes what the nodes answer. True when they did not contradict each other about it before. */
export async function noteDispute(
  db: Database,
  { decision, answers }: Pick<Dispute, 'decision' | 'answers'>,
  now: Date,
): Promise<boolean> {
  const known = await db
    .updateTable('chain_dispute')
    .set({ answers })
    .where('decision', '=', decision)
    .executeTakeFirst()
  if (known.numUpdatedRows > 0n) return false
  const added = await db
    .insertInto('chain_dispute')
    .values({ decision, answers, since: now, ruled_for: null, ruled_at: null })
    .onConflict((conflict) => conflict.column('decision').doNothing())
    .executeTakeFirst()
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The nodes agree. */
export const endDispute = (db: Database, decision: string) =>
  db.deleteFrom('chain_dispute').where('decision', '=', decision).execute()

/** The node whose answer two operators have said to count; null where they have not. */
export async function readRuling(db: Database, decision: string): Promise<string | null> {
  const row = await db
    .selectFrom('chain_dispute')
    .select('ruled_for')
    .where('decision', '=', decision)
    .executeTakeFirst()
  return row?.ruled_for ?? null
}

/** Lets one node decide. `unknown`: the nodes do not contradict each other about it. `notAsked`: none of this name has answered. */
export async function ruleDispute(
  tx: Tx,
  { decision, node }: { decision: string; node: string },
  now: Date,
): Promise<'ruled' | 'unknown' | 'notAsked'> {
  const row = await tx
    .selectFrom('chain_dispute')
    .select('answers')
    .where('decision', '=', decision)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return 'unknown'
  if (!(node in answersOf.parse(JSON.parse(row.answers)))) return 'notAsked'
  await tx
    .updateTable('chain_dispute')
    .set({ ruled_for: node, ruled_at: now })
    .where('decision', '=', decision)
    .execute()
  return 'ruled'
}

/** Oldest first. */
export async function listDisputes(db: Database): Promise<Dispute[]> {
  const rows = await db.selectFrom('chain_dispute').selectAll().orderBy('since').limit(100).execute()
  return rows.map(({ decision, answers, since, ruled_for }) => ({ decision, answers, since, ruledFor: ruled_for }))
}

/** Counts the disputes on which operators have not ruled. */
export async function countDisputes(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('chain_dispute')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('ruled_for', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
