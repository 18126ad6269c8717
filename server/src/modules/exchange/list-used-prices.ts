import type { Data } from '@candela/protocol/endpoints'
import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '../../db/query-rows.ts'
import type { Database } from '../../db/open.ts'
import { deskPriceData } from '@candela/protocol/endpoints/exchange'

const usedRow = z.object({ price: deskPriceData, exchanges: z.int() })

/** More different prices on one day than this are cut off: each costs its reader a look at the chain. */
const MAX_PRICES = 2_000

/** The prices of assets by which anything was exchanged between two instants, each once, with how often it was. */
export async function listUsedPrices(
  db: Database,
  { since, before }: { since: Date; before: Date },
): Promise<Data<'GET solvency/day'>['prices']> {
  const rows = await queryRows(
    db,
    usedRow,
    sql`
    select price, count(*)::integer as exchanges
    from exchange e cross join lateral (values (e.evidence->'from'), (e.evidence->'to')) as terms (price)
    where e.created_at >= ${since} and e.created_at < ${before} and price->>'side' <> 'unit'
    group by price order by min(e.id), price->>'asset' limit ${MAX_PRICES}`,
  )
  return rows.map(({ price, exchanges }) => ({ ...price, exchanges }))
}
