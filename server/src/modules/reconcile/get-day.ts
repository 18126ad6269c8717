import { codes } from '@candela/protocol/codes/codes'
import type { Data } from '@candela/protocol/endpoints'
import { assetCodes } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { DAY_MS, MINUTE_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import { AppError } from '../../kernel/errors.ts'
import { createSharedReads } from '../../kernel/shared-reads.ts'
import { listFundChanges } from '../fund/list-changes.ts'
import { listUsedPrices } from '../exchange/list-used-prices.ts'

type Day = Data<'GET solvency/day'>
type Span = { since: Date; before: Date }

/** Anyone may ask, and a day may have many payments, so that each day is read at most once in this long. */
const KEEP_MS = MINUTE_MS
const MAX_KEPT = 400

/** Reads a day at most once a minute, however many ask. The answer throws AppError 404 while the chain was not followed to its end. */
export function createDayReader(db: Database): (day: string, now: Date) => Promise<Day> {
  const read = createSharedReads({ keep_ms: KEEP_MS, maxKept: MAX_KEPT }, (day: string) => readDay(db, day))
  return async (day, now) => {
    await expectToBeFollowed(db, spanOf(day).before)
    return read(day, now)
  }
}

async function expectToBeFollowed(db: Database, until: Date): Promise<void> {
  const reached = await db
    .selectFrom('chain_cursor as c')
    .innerJoin('chain_block as b', 'b.number', 'c.followed')
    .select('b.at')
    .executeTakeFirst()
  if (reached === undefined || reached.at < until) throw new AppError(codes.notFound)
}

function spanOf(day: string): Span {
  const since = new Date(`${day}T00:00:00.000Z`)
  return { since, before: new Date(since.getTime() + DAY_MS) }
}

async function readDay(db: Database, day: string): Promise<Day> {
  const span = spanOf(day)
  const [payments, fund, prices] = await Promise.all([
    readPayments(db, span),
    listFundChanges(db, span),
    listUsedPrices(db, span),
  ])
  return { day, payments, fund, prices }
}

const paymentRow = z.object({
  asset: z.enum(assetCodes),
  received_count: z.bigint(),
  received: z.bigint(),
  paid_count: z.bigint(),
  paid: z.bigint(),
})

async function readPayments(db: Database, { since, before }: Span): Promise<Day['payments']> {
  const rows = await queryRows(
    db,
    paymentRow,
    sql`
    select asset,
      count(*) filter (where action <> 'paid') as received_count,
      coalesce(sum(amount) filter (where action <> 'paid'), 0) as received,
      count(*) filter (where action = 'paid') as paid_count,
      coalesce(sum(amount) filter (where action = 'paid'), 0) as paid
    from chain_payment where block_at >= ${since} and block_at < ${before} and not orphaned
    group by asset`,
  )
  return assetCodes.map((asset) => {
    const row = rows.find((one) => one.asset === asset)
    return { asset, received: moved(row?.received_count, row?.received), paid: moved(row?.paid_count, row?.paid) }
  })
}

const moved = (count = 0n, amount = 0n) => ({ count: Number(count), amount: fromBaseUnits(amount) })
