import type { Database } from '../../../db/open.ts'
import type { IdSource } from '../../../kernel/ids.ts'

export type LoanDeps = {
  db: Database
  ids: Pick<IdSource, 'orderNumber'>
  /** For payments on chain. */
  contracts: { gateway: `0x${string}`; usdt: `0x${string}` }
}

export type Caller = { memberId: bigint; now: Date }
