import { assetCodes } from '@candela/protocol/money/assets'
import { dustSteps } from '@candela/protocol/money/dust'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'

const itemRow = z.object({
  id: z.string(),
  asset: z.enum(assetCodes),
  amount: z.bigint(),
  payments: z.number(),
  txHash: z.string().nullable(),
  action: z.string().nullable(),
  reference: z.string().nullable(),
  payer: z.string().nullable(),
  customer: z.string().nullable(),
  at: z.date(),
})

/** Money whose owner nobody knows: one payment, or the dust of one UTC day in one sum. Amount in base units. */
export type SuspenseItem = z.output<typeof itemRow>

/** In steps of dust, which are worth about as much of each asset. */
const worth = sql`amount / case asset
  when 'USDT' then ${dustSteps.USDT}::numeric when 'HASH' then ${dustSteps.HASH}::numeric else ${dustSteps.JU}::numeric end`

/**
 * Lists what is in suspense, the most worth first: what was given to somebody since is not. Worth is by the steps of dust, which need
 * no price.
 * @param skip items before the page
 */
export function listSuspense(db: Database, { skip, limit }: { skip: number; limit: number }): Promise<SuspenseItem[]> {
  return queryRows(
    db,
    itemRow,
    sql`
    select * from (
      select e.id::text as id, e.asset, e.amount, 1 as payments, e.tx_hash as "txHash", e.action::text as action, e.reference, e.payer,
        e.customer, e.block_at as at
      from chain_payment e
      left join suspense_assignment a on a.tx_hash = e.tx_hash and a.tx_position = e.tx_position
      where e.state = 'credited' and e.outcome = 'suspense' and e.waits_for is null and a.tx_hash is null
      union all
      select s.posting_id::text, s.asset, s.amount, s.payments, null, null, null, null, null, s.day::timestamp at time zone 'UTC'
      from dust_sum s where s.member_id is null and s.given_at is null
    ) as item
    order by ${worth} desc, at, id
    offset ${skip} limit ${limit}`,
  )
}
