import { addDays, startOfDay, utcDay } from '@candela/protocol/calendar'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { assetCodes } from '@candela/protocol/money/assets'
import { sql } from 'kysely'
import { z } from 'zod'
import { lockFollowed, markBooked } from '../../../chain/crediting/credit-payments.ts'
import type { Tx } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'
import { uuidFromName } from '../../../kernel/ids.ts'
import { memberAccount, platformAccount } from '../../../ledger/chart.ts'
import { post } from '../../../ledger/post.ts'

const groupRow = z.object({
  member_id: z.bigint().nullable(),
  asset: z.enum(assetCodes),
  amount: z.bigint(),
  last_at: z.date(),
  ids: z.array(z.bigint()),
})
const dayRow = z.object({ day: z.string().nullable() })

/**
 * Books dust of the oldest UTC day that is over on chain and waits: one posting for each recipient and asset, at most `limit` of them. What
 * comes after that for the same day gets a further one.
 * @returns how many sums were booked
 */
export async function bookDust(tx: Tx, now: Date, limit: number): Promise<number> {
  const followed = await lockFollowed(tx)
  if (followed === null) return 0
  const day = await oldestOver(tx, utcDay(followed.at))
  if (day === null) return 0
  const groups = await queryRows(
    tx,
    groupRow,
    sql`
    select d.member_id, d.asset, sum(d.amount) as amount, max(e.block_at) as last_at, array_agg(e.id) as ids
    from uncredited_payment e
    join dust_payment d on d.tx_hash = e.tx_hash and d.tx_position = e.tx_position and d.posting_id is null
    where e.waits_for = ${day}
    group by d.member_id, d.asset order by d.member_id, d.asset limit ${limit}`,
  )
  for (const group of groups) await bookSum(tx, day, group, now)
  return groups.length
}

/** Null while payments of before its end are not confirmed: they belong to the same sum. */
async function oldestOver(tx: Tx, today: string): Promise<string | null> {
  const rows = await queryRows(
    tx,
    dayRow,
    sql`
    select to_char(min(waits_for), 'YYYY-MM-DD') as day from uncredited_payment where waits_for < ${today}`,
  )
  const day = rows[0]?.day ?? null
  if (day === null) return null
  const coming = await tx
    .selectFrom('uncredited_payment')
    .select('id')
    .where('waits_for', 'is', null)
    .where('failing', '=', false)
    .where('block_at', '<', startOfDay(addDays(day, 1)))
    .limit(1)
    .executeTakeFirst()
  return coming === undefined ? day : null
}

async function bookSum(tx: Tx, day: string, group: z.output<typeof groupRow>, now: Date): Promise<void> {
  const { member_id, asset, amount, last_at, ids } = group
  const { earlier } = await tx
    .selectFrom('dust_sum')
    .select(({ fn }) => fn.countAll<bigint>().as('earlier'))
    .where(sql<boolean>`member_id is not distinct from ${member_id}`)
    .where('asset', '=', asset)
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  const posting_id = uuidFromName(`dust:${CHAIN_ID}:${day}:${asset}:${member_id ?? 0n}:${earlier}`)
  await post(tx, {
    id: posting_id,
    kind: member_id === null ? 'suspense' : 'deposit',
    legs: [
      {
        debit: platformAccount('custody', asset),
        credit:
          member_id === null ? platformAccount('suspense', asset) : memberAccount(member_id, 'memberAvailable', asset),
        amount,
      },
    ],
    memo: { day, payments: String(ids.length) },
    occurredAt: last_at,
  })
  await tx.insertInto('dust_sum').values({ posting_id, member_id, asset, amount, payments: ids.length, day }).execute()
  await sql`
    update dust_payment d set posting_id = ${posting_id} from chain_payment e
    where e.id = any(${ids}::bigint[]) and d.tx_hash = e.tx_hash and d.tx_position = e.tx_position`.execute(tx)
  await markBooked(tx, { ids, outcome: member_id === null ? 'suspense' : 'balance', now })
}
