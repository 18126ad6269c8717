import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import { z } from 'zod'
import { cursorCodec } from '../../../db/cursor.ts'
import type { Database } from '../../../db/open.ts'
import { makePage, readPage } from '../../../db/page.ts'
import { queryRows } from '../../../db/query-rows.ts'

const endpoint = 'GET deposit/dust'

const place = cursorCodec('hash', 'count')
const row = z.object({
  tx_hash: z.string(),
  tx_position: z.number(),
  amount: z.bigint(),
  payer: z.string(),
  block_at: z.date(),
})

/**
 * The payments of the sums that were booked for a member, an asset and a day. In the order of the index that finds them, so that a page of a crowd of
 * them costs no more than one of a few. @throws AppError 400 for a cursor that is not ours
 */
export async function listDust(
  db: Database,
  { asset, day, ...page }: HandlerInput<typeof endpoint>,
  memberId: bigint,
): Promise<Data<typeof endpoint>> {
  const { before: behind, limit } = readPage(place, page)
  const [hash, position] = behind ?? ['', 0]
  const rows = await queryRows(
    db,
    row,
    sql`
    select d.tx_hash, d.tx_position, d.amount, e.payer, e.block_at
    from dust_sum s
    cross join lateral (
      select tx_hash, tx_position, amount from dust_payment
      where posting_id = s.posting_id and not is_single and (tx_hash, tx_position) > (${hash}, ${position}::integer)
      order by tx_hash, tx_position limit ${limit + 1}
    ) d
    join chain_payment e on e.tx_hash = d.tx_hash and e.tx_position = d.tx_position
    where s.member_id = ${memberId} and s.asset = ${asset} and s.day = ${day}::date
    order by d.tx_hash, d.tx_position limit ${limit + 1}`,
  )
  return makePage(place, rows, limit, {
    place: ({ tx_hash, tx_position }) => [tx_hash, tx_position],
    toItem: ({ tx_hash, payer, amount, block_at }) => ({
      txHash: tx_hash,
      payer,
      amount: fromBaseUnits(amount),
      at: block_at.toISOString(),
    }),
  })
}
