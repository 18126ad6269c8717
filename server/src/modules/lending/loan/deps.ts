import type { Selectable } from 'kysely'
import type { Database, Tx } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { ChangeDeps } from './record/change-loan.ts'
import type { ReadPrices } from './prices.ts'

export type Project = Selectable<Tables['project']>

/** What the endpoints of loans need of others. */
export type LoanDeps = ChangeDeps & {
  db: Database
  ids: Pick<IdSource, 'orderNumber'>
  readPrices: ReadPrices
  /** @throws AppError 404 */
  readProject: (db: Database, projectNo: string) => Promise<Project>
  /** The same under its lock. @throws AppError 404 */
  lockProject: (tx: Tx, projectNo: string) => Promise<Project>
  /** Money of the fund that is not lent, USDT base units. */
  readFundIdle: (db: Database) => Promise<bigint>
  /** For payments on chain. */
  contracts: { gateway: `0x${string}`; usdt: `0x${string}` }
}

export type Caller = { memberId: bigint; now: Date }
