import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'

/** Nodes keep few waiting transactions of one account. */
export const MAX_IN_FLIGHT = 16

/** Signed payouts that the chain may still mine. Base units. */
export type InFlight = { count: number; gasCost: bigint; amounts: Record<AssetCode, bigint> }

const inFlightRow = z.object({
  asset: z.enum(assetCodes),
  count: z.number(),
  amount: z.bigint(),
  gas_cost: z.bigint(),
})

/**
 * Reads the payouts of a payer that are under way: signed payouts that the chain's state at a followed block does not contain and whose
 * nonce it has not used. One that reverted is no more under way.
 */
export async function readInFlight(
  db: Database,
  payer: string,
  { block, nonceNow }: { block: bigint; nonceNow: bigint },
): Promise<InFlight> {
  const rows = await queryRows(
    db,
    inFlightRow,
    sql`
    select w.asset, count(*)::integer as count, sum(w.payout_amount) as amount, coalesce(sum(t.gas_cost), 0) as gas_cost
    from withdrawal w
    join lateral (
      select max(gas_price * gas) as gas_cost from payout_transaction where withdrawal_id = w.id
    ) t on true
    where w.state = 'sending' and w.payer = ${payer} and w.nonce >= ${nonceNow} and not exists (
      select from chain_payment e
      where e.action = 'paid' and e.reference = w.payout_id and not e.orphaned and e.block_number <= ${block}
    ) group by w.asset`,
  )
  const all: InFlight = { count: 0, gasCost: 0n, amounts: { JU: 0n, USDT: 0n, HASH: 0n } }
  for (const { asset, count, amount, gas_cost } of rows) {
    all.count += count
    all.gasCost += gas_cost
    all.amounts[asset] += amount
  }
  return all
}
