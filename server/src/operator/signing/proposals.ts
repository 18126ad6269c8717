import { sql } from 'kysely'
import type { Database, Tx } from '../../db/open.ts'
import { OperatorError } from '../../kernel/errors.ts'
import { canonicalJson } from './signed-terms.ts'

/** How long a proposal waits for another operator. */
export const WAITS_MS = 72 * 3_600_000

export type Proposed = { command: string; input: Readonly<Record<string, unknown>> }
export type Proposal = Proposed & { id: bigint; proposedBy: string; proposedAt: Date; expiresAt: Date }

/** The open proposal of exactly this command, or a new one. Locked: of several at once one is first. */
export async function findOrPropose(
  tx: Tx,
  proposed: Proposed,
  operator: string,
  now: Date,
): Promise<Proposal & { isNew: boolean }> {
  const { command } = proposed
  const input = canonicalJson(proposed.input)
  for (;;) {
    const open = await tx
      .selectFrom('operator_proposal')
      .selectAll()
      .where('command', '=', command)
      .where('ended', 'is', null)
      .where(sql<boolean>`md5(input::text) = md5(${input}::jsonb::text)`)
      .forUpdate()
      .executeTakeFirst()
    if (open !== undefined && open.expires_at > now) return { ...proposalOf(open), isNew: false }
    if (open !== undefined) await endProposal(tx, open.id, 'expired', now)
    const made = await tx
      .insertInto('operator_proposal')
      .values({
        command,
        input,
        proposed_by: operator,
        proposed_at: now,
        expires_at: new Date(now.getTime() + WAITS_MS),
      })
      // Somebody else has just proposed the same: then it is that one.
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (made !== undefined) return { ...proposalOf(made), isNew: true }
  }
}

/** Ends a proposal. False when it was over. */
export async function endProposal(
  tx: Tx,
  id: bigint,
  ended: 'done' | 'withdrawn' | 'expired',
  now: Date,
): Promise<boolean> {
  const rows = await tx
    .updateTable('operator_proposal')
    .set({ ended, ended_at: now })
    .where('id', '=', id)
    .where('ended', 'is', null)
    .returning('id')
    .execute()
  return rows.length > 0
}

/** Lists what waits for a second operator, oldest first. */
export async function listProposals(db: Database, now: Date): Promise<Proposal[]> {
  const rows = await db
    .selectFrom('operator_proposal')
    .selectAll()
    .where('ended', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id')
    .execute()
  return rows.map(proposalOf)
}

/** One that waits. @throws OperatorError when there is none with this number */
export async function readProposal(db: Database, id: string, now: Date): Promise<Proposal> {
  const found = (await listProposals(db, now)).find((one) => String(one.id) === id)
  if (found === undefined) throw new OperatorError(`there is no open proposal ${id}`)
  return found
}

type Row = { id: bigint; command: string; input: unknown; proposed_by: string; proposed_at: Date; expires_at: Date }

const proposalOf = (row: Row): Proposal => ({
  id: row.id,
  command: row.command,
  input: row.input as Proposed['input'],
  proposedBy: row.proposed_by,
  proposedAt: row.proposed_at,
  expiresAt: row.expires_at,
})
