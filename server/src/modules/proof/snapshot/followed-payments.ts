import { assetCodes } from '@candela/protocol/money/assets'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'

const openRow = z.object({ block: z.bigint().nullable() })
const laterRow = z.object({ to: z.string(), asset: z.enum(assetCodes), amount: z.bigint() })

/** A payment that the ledger has, and that a claim will deduct because its block is after the attested one. Base units. */
export type PaidLater = { to: string; asset: z.output<typeof laterRow>['asset']; amount: bigint }

/**
 * The newest block up to which every payment of the contract is in the ledger.
 * @param final the newest block that counts as final: an older one cannot get further payments
 */
export async function lastSettledBlock(tx: Tx, final: bigint): Promise<bigint> {
  const rows = await queryRows(
    tx,
    openRow,
    sql`
    select min(block_number) as block from uncredited_payment
    where action = 'paid' and block_number <= ${final}`,
  )
  const open = rows[0]?.block ?? null
  return open === null ? final : open - 1n
}

/** Reads what the ledger has of payments in later blocks: small payments are settled before a block is final. */
export const paymentsAfter = (tx: Tx, block: bigint): Promise<PaidLater[]> =>
  queryRows(
    tx,
    laterRow,
    sql`
    select customer as "to", asset, sum(amount)::numeric(78, 0) as amount from chain_payment
    where action = 'paid' and state <> 'recorded' and not orphaned and block_number > ${block}
    group by customer, asset`,
  )
