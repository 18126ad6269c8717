import { DAY_MS } from '@candela/protocol/units'
import type { Database } from '../../db/open.ts'
import { readStandstills, stoodSince } from '../../chain/follow/standstill.ts'
import { readSettings } from '../../db/settings.ts'
import { hasForeignPayout } from './foreign-payouts.ts'
import { hasOpenFindings } from '../../ledger/audit/findings.ts'

/**
 * Why nothing is paid out now, worded for the operator; null when nothing speaks against it. Reasons: a recorded payment out is no
 * withdrawal of ours; the last comparison has paused withdrawals; the ledger's audit has an open finding; crediting is halted, so the books may be
 * about to change; what is owed was not attested for three days; no recent comparison has found the books and the chain equal.
 */
export async function readPauseReason(db: Database, now: Date): Promise<string | null> {
  if (await hasForeignPayout(db)) return 'the contract has paid what is no withdrawal of ours'
  const last = await readLastReconciliation(db)
  if (last?.paused === true) return 'the books and the chain differ'
  if (await hasOpenFindings(db)) return 'the audit of the ledger found something'
  const cursor = await db.selectFrom('chain_cursor').select('halted_reason').executeTakeFirst()
  if (cursor !== undefined && cursor.halted_reason !== null) return 'crediting is halted'
  if (await isAttestationOld(db, now)) return 'nothing was attested for three days'
  const { reconcileMaxAgeMinutes } = await readSettings(db)
  const age_s = await readAgreementAge(db, now)
  if (age_s !== null && age_s <= reconcileMaxAgeMinutes * 60) return null
  return `no comparison of the last ${reconcileMaxAgeMinutes} minutes has found the books and the chain equal`
}

/** A payout after the last attestation is missing in what an exit shares at first, so little may be paid. */
const MAX_ATTESTATION_AGE_MS = 3 * DAY_MS

/** False before the first attestation: nobody has a leaf yet by which it could claim instead. */
async function isAttestationOld(db: Database, now: Date): Promise<boolean> {
  const last = await db
    .selectFrom('attestation')
    .select('attested_at')
    .where('state', '=', 'attested')
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  const at = last?.attested_at ?? null
  if (at === null) return false
  // Nothing could be attested, and nothing be paid, while the chain stood still.
  const age_ms = now.getTime() - at.getTime() - stoodSince(await readStandstills(db), at)
  return age_ms > MAX_ATTESTATION_AGE_MS
}

/** Seconds since the last comparison that found nothing for which payouts have to wait; null when none did. */
export async function readAgreementAge(db: Database, now: Date): Promise<number | null> {
  const equal = await db
    .selectFrom('reconciliation')
    .select(['at', 'block_at'])
    .where('agrees', '=', true)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (equal === undefined) return null
  // The block's own time counts too: with a node that stands still, an old comparison would look new.
  const { at, block_at } = equal
  const since = block_at !== null && block_at < at ? block_at : at
  return (now.getTime() - since.getTime()) / 1000
}

export type LastReconciliation = {
  id: bigint
  block_number: bigint
  block_at: Date | null
  at: Date
  paused: boolean
  finding: string | null
}

/** The newest comparison; undefined before the first. */
export function readLastReconciliation(db: Database): Promise<LastReconciliation | undefined> {
  return db
    .selectFrom('reconciliation')
    .select(['id', 'block_number', 'block_at', 'at', 'paused', 'finding'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Reads what a comparison found, asset by asset. Base units. */
export const readLines = (db: Database, reconciliationId: bigint) =>
  db
    .selectFrom('reconciliation_line')
    .select(['asset', 'expected', 'found', 'tolerated'])
    .where('reconciliation_id', '=', reconciliationId)
    .orderBy('asset')
    .execute()
