import { type Database, transaction } from '../db/open.ts'
import { checkBalances, checkMissing, checkPostings, checkRolledUp, everything, type Finding } from './audit/checks.ts'

/**
 * Recomputes the whole ledger from its entries at one instant, and returns what does not hold; empty is good. For tests
 * and small ledgers: a running service audits in ranges, by the same checks (`audit/audit-round.ts`).
 */
export function auditLedger(db: Database): Promise<Finding[]> {
  return transaction(
    db,
    async (tx) => [
      ...(await checkPostings(tx, everything)),
      ...(await checkBalances(tx, everything)),
      ...(await checkMissing(tx, { sealed: false, search: false })),
      ...(await checkRolledUp(tx, { sealed: false })),
    ],
    { isolation: 'repeatable read' },
  )
}
