import type { OpenDebt } from '@candela/protocol/proof/owed'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../../db/open.ts'
import { queryRows } from '../../../../db/query-rows.ts'

const debtRow = z.object({ member_id: z.bigint(), debt: z.bigint(), ju: z.bigint(), hash: z.bigint() })

/** Lists what each member with open loans owes and has pledged, all of its loans together. Base units. */
export async function listOpenDebts(db: Database): Promise<OpenDebt[]> {
  const rows = await queryRows(
    db,
    debtRow,
    sql`
    select member_id,
      sum(principal + interest_charged - interest_paid + late_charged - late_paid) as debt,
      coalesce(sum(collateral) filter (where collateral_asset = 'JU'), 0) as ju,
      coalesce(sum(collateral) filter (where collateral_asset = 'HASH'), 0) as hash
    from loan_with_debt where closed_at is null group by member_id`,
  )
  return rows.map(({ member_id, debt, ju, hash }) => ({
    memberId: member_id,
    debt,
    collateral: { JU: ju, HASH: hash },
  }))
}
