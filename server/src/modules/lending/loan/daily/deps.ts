import type { Database } from '../../../../db/open.ts'

export type DailyDeps = {
  db: Database
  /** Loans charged in one transaction, when it is not the usual number. */
  chunk?: number
}
