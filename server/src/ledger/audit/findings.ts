import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '../../db/query-rows.ts'
import type { Database, Tx } from '../../db/open.ts'
import type { Finding } from './checks.ts'

/** True while something that the audit found is neither gone nor accepted by an operator. */
export const hasOpenFindings = async (db: Database): Promise<boolean> => (await countOpenFindings(db)) > 0

/** How much of what the audit found is neither gone nor accepted. */
export async function countOpenFindings(db: Database): Promise<number> {
  const { count } = await openFindings(db)
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists the open findings for the operator, oldest first. */
export const listOpenFindings = (db: Database, limit = 100) =>
  openFindings(db).select(['id', 'rule', 'subject', 'details', 'found_at']).orderBy('id').limit(limit).execute()

const openFindings = (db: Database) =>
  db.selectFrom('ledger_audit_finding').where('gone_at', 'is', null).where('accepted_at', 'is', null)

const keptRow = z.object({ open: z.boolean(), new: z.boolean() })

/**
 * Stores what a round has found. Returns what nobody has accepted, and which of that was not known before.
 * @param round `ledger_audit_round.id`
 */
export async function keepFindings(
  tx: Tx,
  findings: readonly Finding[],
  round: bigint,
  now: Date,
): Promise<{ open: Finding[]; added: Finding[] }> {
  const open: Finding[] = []
  const added: Finding[] = []
  for (const finding of findings) {
    const [kept] = await queryRows(
      tx,
      keptRow,
      sql`
      insert into ledger_audit_finding (rule, subject, details, found_at, found_in, seen_in)
      values (${finding.rule}, ${finding.subject}, ${finding.details}, ${now}, ${round}, ${round})
      on conflict (rule, subject, details) where gone_at is null do update set seen_in = excluded.seen_in
      returning accepted_at is null as open, xmax = 0 as new`,
    )
    if (kept?.open === true) open.push(finding)
    if (kept?.new === true) added.push(finding)
  }
  return { open, added }
}

/** After a whole round: findings that it did not make again are gone. Accepted ones stay as they are. */
export async function closeGone(tx: Tx, round: bigint, now: Date): Promise<number> {
  const closed = await tx
    .updateTable('ledger_audit_finding')
    .set({ gone_at: now })
    .where('gone_at', 'is', null)
    .where('accepted_at', 'is', null)
    .where('seen_in', '<', round)
    .executeTakeFirst()
  return Number(closed.numUpdatedRows)
}

/**
 * Accepts a finding that an operator has explained and that the append-only journal keeps for ever. It does not count
 * any more, as long as the same is found. Returns false when there is no open finding with this id.
 */
export async function acceptFinding(tx: Tx, id: bigint, note: string, now: Date): Promise<boolean> {
  const accepted = await tx
    .updateTable('ledger_audit_finding')
    .set({ accepted_at: now, note })
    .where('id', '=', id)
    .where('gone_at', 'is', null)
    .where('accepted_at', 'is', null)
    .executeTakeFirst()
  return accepted.numUpdatedRows > 0n
}
