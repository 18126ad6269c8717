import type { AssetCode } from '@candela/protocol/money/assets'
import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '../../db/query-rows.ts'
import type { Database, Tx } from '../../db/open.ts'
import { uuidFromName } from '../../kernel/ids.ts'
import { memberAccount, platformAccount } from '../../ledger/chart.ts'
import { post } from '../../ledger/post.ts'

/** Base units: what was booked as surplus, and what of it was not given to anyone yet. */
export type Surplus = { asset: AssetCode; booked: bigint; left: bigint }

const surplusRow = z.object({ asset: z.enum(['JU', 'USDT', 'HASH']), booked: z.bigint(), left: z.bigint() })

/** Booked surplus, for each asset that ever had some. */
export function listSurplus(db: Database): Promise<Surplus[]> {
  return queryRows(
    db,
    surplusRow,
    sql`
    select asset, sum(amount) as booked,
      sum(amount) - coalesce((select sum(amount) from surplus_assignment given where given.asset = b.asset), 0) as left
    from booked_difference b where amount > 0
    group by asset order by asset`,
  )
}

export type SurplusAssignment = {
  asset: AssetCode
  /** Base units. */
  amount: bigint
  /** The transaction that brought the money, 32 bytes in lower case. */
  txHash: string
  /** A member by UID, or the exchange desk as stock. */
  target: { kind: 'member'; uid: bigint } | { kind: 'desk' }
  /** The operator's reason for giving it to them. */
  note: string
}

/**
 * assigned: done now. already: they were given as much for this transaction before. Nothing was done for the others:
 * another amount was given for it, nobody has this UID, less is left than the amount, or the chain's events tell of the
 * transaction, so that its payment is credited by itself.
 */
export type SurplusResult = 'assigned' | 'already' | 'taken' | 'noMember' | 'notEnough' | 'recorded'

/** Gives booked surplus to whom it belongs, once for each of its transactions, asset and receiver. */
export async function assignSurplus(tx: Tx, assignment: SurplusAssignment, now: Date): Promise<SurplusResult> {
  const { asset, amount, txHash, target, note } = assignment
  // Two operators come one after the other, so that not more than what is left is given.
  await tx.selectFrom('booked_difference').select('asset').where('asset', '=', asset).forUpdate().execute()
  const memberId = target.kind === 'member' ? await findMember(tx, target.uid) : null
  if (memberId === undefined) return 'noMember'
  const before = await tx
    .selectFrom('surplus_assignment')
    .select('amount')
    .where('tx_hash', '=', txHash)
    .where('asset', '=', asset)
    .where('target', '=', target.kind)
    .where('member_id', 'is not distinct from', memberId)
    .executeTakeFirst()
  if (before !== undefined) return before.amount === amount ? 'already' : 'taken'
  const event = await tx.selectFrom('chain_payment').select('id').where('tx_hash', '=', txHash).executeTakeFirst()
  if (event !== undefined) return 'recorded'
  const surplus = (await listSurplus(tx)).find((one) => one.asset === asset)
  if (surplus === undefined || surplus.left < amount) return 'notEnough'
  await tx
    .insertInto('surplus_assignment')
    .values({ tx_hash: txHash, asset, target: target.kind, member_id: memberId, amount, note, assigned_at: now })
    .execute()
  await post(tx, {
    id: uuidFromName(`surplus:${txHash}:${asset}:${memberId ?? 'desk'}`),
    kind: memberId === null ? 'desk-stock' : 'assigned',
    legs: [
      {
        debit: platformAccount('suspense', asset),
        credit:
          memberId === null
            ? platformAccount('deskInventory', asset)
            : memberAccount(memberId, 'memberAvailable', asset),
        amount,
      },
    ],
    memo: { txHash },
    occurredAt: now,
  })
  return 'assigned'
}

async function findMember(tx: Tx, uid: bigint): Promise<bigint | undefined> {
  const member = await tx.selectFrom('member').select('id').where('uid', '=', uid).executeTakeFirst()
  return member?.id
}
