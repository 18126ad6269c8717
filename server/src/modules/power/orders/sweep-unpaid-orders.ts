import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { readFollowedHead } from '../../../chain/follow/followed-block.ts'
import { countedAt, readStandstills } from '../../../chain/follow/standstill.ts'
import type { Database, Tx } from '../../../db/open.ts'

/** How long an order that nobody paid stays after it is no longer watched: its request id is too old by then. */
const KEPT_MS = 30 * DAY_MS

/**
 * Deletes at most `limit` orders that nobody paid, by the chain's time. One that a payment names which is not decided yet stays.
 * @returns how many
 */
export async function sweepUnpaidOrders(tx: Tx, limit: number): Promise<number> {
  const head = await readFollowedHead(tx)
  if (head === null || head.at === null) return 0
  const before = new Date(countedAt(await readStandstills(tx), head.at).getTime() - KEPT_MS)
  const { numAffectedRows } = await sql`
    delete from power_order where id = any(array(
      select o.id from power_order o
      where o.state = 'cancelled' and o.watch_until < ${before}
        and not exists (select from chain_payment e
          where e.action = 'buyPower' and e.reference = o.order_no and e.state = 'recorded')
      order by o.watch_until limit ${limit} for update skip locked
    ))`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** How many orders there are that nobody paid; counted up to `most`. */
export async function countUnpaidOrders(db: Database, most: number): Promise<number> {
  const unpaid = db.selectFrom('power_order').select('id').where('chain_event_id', 'is', null).limit(most)
  const count = db.selectFrom(unpaid.as('unpaid')).select(({ fn }) => fn.countAll<bigint>().as('count'))
  return Number((await count.executeTakeFirstOrThrow()).count)
}
