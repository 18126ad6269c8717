import type { Database } from '../../db/open.ts'
import { auditFund } from '../fund/audit-fund.ts'
import { auditLoansInSteps } from './loan/audit-loans.ts'

/** Compares lending and the fund with the ledger, for the hourly audit. */
export const lendingChecks = [
  auditLoansInSteps,
  async function* (db: Database) {
    yield await auditFund(db)
  },
] as const
