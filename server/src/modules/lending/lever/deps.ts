import type { Database } from '../../../db/open.ts'
import type { IdSource } from '../../../kernel/ids.ts'

export type Caller = { memberId: bigint; now: Date }

export type LeverDeps = { db: Database; ids: Pick<IdSource, 'orderNumber'> }
