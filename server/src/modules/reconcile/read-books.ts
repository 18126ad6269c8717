import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { At } from '../../chain/payout/payout-chain.ts'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { accountBalance } from '../../ledger/balances.ts'
import { platformAccount } from '../../ledger/chart.ts'
import type { UnderWay } from './read-owed.ts'

/** The amounts that the contract holds at the last followed block as the books say, base units. `more` is of the same instant. */
export type Books<More> = {
  at: At
  blockAt: Date
  head: bigint
  expected: Record<AssetCode, bigint>
  more: More
}

const waitingRow = z.object({ asset: z.enum(assetCodes), received: z.bigint(), paid: z.bigint() })

/**
 * Custody, and what the followed blocks have moved besides that no posting contains yet. All of it is of one instant:
 * one snapshot with the cursor, which credits and recordings move in their own transactions.
 *
 * A payout that is not one of ours has no explanation and stays out, so that the books differ from the chain by it.
 * Null before the first followed block.
 */
export function readBooks<More>(
  db: Database,
  readMore: (tx: Tx, underWay: (asset: AssetCode) => UnderWay) => Promise<More>,
): Promise<Books<More> | null> {
  return transaction(
    db,
    async (tx) => {
      const cursor = await tx.selectFrom('chain_cursor').selectAll().executeTakeFirst()
      if (cursor === undefined || cursor.followed_hash === null) return null
      const waiting = await queryRows(
        tx,
        waitingRow,
        sql`
        select asset, coalesce(sum(amount) filter (where action <> 'paid'), 0) as received,
          coalesce(sum(amount) filter (where action = 'paid'), 0) as paid
        from uncredited_payment e
        where (action <> 'paid' or exists (
          select from expected_payout w
          where w.payout_id = e.reference and w.asset = e.asset and w.amount = e.amount and w.to_address = e.customer))
        group by asset`,
      )
      const underWay = (asset: AssetCode): UnderWay =>
        waiting.find((line) => line.asset === asset) ?? { received: 0n, paid: 0n }
      const expected: Record<AssetCode, bigint> = { JU: 0n, USDT: 0n, HASH: 0n }
      for (const asset of assetCodes) {
        const { received, paid } = underWay(asset)
        expected[asset] = received - paid - (await accountBalance(tx, platformAccount('custody', asset)))
      }
      const more = await readMore(tx, underWay)
      const at = { number: cursor.followed, hash: cursor.followed_hash }
      const block = await tx.selectFrom('chain_block').select('at').where('number', '=', at.number).executeTakeFirst()
      return {
        at,
        blockAt: must(block, `block ${at.number} is followed and kept`).at,
        head: cursor.head,
        expected,
        more,
      }
    },
    { isolation: 'repeatable read' },
  )
}
