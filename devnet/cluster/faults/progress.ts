import type { Database } from '@candela/server/db/open'
import { sql } from 'kysely'
import { expect } from 'vitest'

/** The state of the loops' work at an instant. */
type Mark = { at_ms: number; head: bigint; withdrawal: bigint }

/** Marks this instant: what comes after it is new. */
export async function mark(db: Database): Promise<Mark> {
  const { rows } = await sql<{ head: bigint; withdrawal: bigint }>`select
    (select head from chain_cursor) as head,
    (select coalesce(max(id), 0) from withdrawal) as withdrawal`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a select without a table has a row')
  return { at_ms: performance.now(), ...row }
}

/**
 * Waits until a payment that arrived on chain after the mark is credited, and a withdrawal asked for after it is paid.
 * @returns how long each took, in ms
 */
export async function untilPaymentsGoOn(db: Database, since: Mark): Promise<{ credit_ms: number; payout_ms: number }> {
  const took = async (what: string, isSo: () => Promise<boolean>) => {
    await expect.poll(isSo, { interval: 100, message: what }).toBe(true)
    return performance.now() - since.at_ms
  }
  const credited = () =>
    db
      .selectFrom('chain_event')
      .select('id')
      .where('block_number', '>', since.head)
      .where('action', '<>', 'paid')
      .where('state', '=', 'credited')
      .limit(1)
      .executeTakeFirst()
  const paid = () =>
    db
      .selectFrom('withdrawal')
      .select('id')
      .where('id', '>', since.withdrawal)
      .where('state', '=', 'done')
      .limit(1)
      .executeTakeFirst()
  const [credit_ms, payout_ms] = await Promise.all([
    took('a new deposit is credited', async () => (await credited()) !== undefined),
    took('a new withdrawal is paid', async () => (await paid()) !== undefined),
  ])
  return { credit_ms, payout_ms }
}

/** Waits until a worker that is lost now has something under way. */
export async function untilPayoutUnderWay(db: Database): Promise<void> {
  const underWay = () =>
    db.selectFrom('withdrawal').select('id').where('state', '=', 'sending').limit(1).executeTakeFirst()
  await expect.poll(underWay, { interval: 10, message: 'a payout is under way' }).toBeDefined()
}
