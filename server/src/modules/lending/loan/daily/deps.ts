import type { Database } from '../../../../db/open.ts'
import type { ChangeDeps } from '../record/change-loan.ts'

export type DailyDeps = ChangeDeps & {
  db: Database
  /** Loans charged in one transaction, when it is not the usual number. */
  chunk?: number
}
