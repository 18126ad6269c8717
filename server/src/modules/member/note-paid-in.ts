import { partOfOpening } from '@candela/protocol/money/opens-code'
import type { AssetCode } from '@candela/protocol/money/assets'
import { sql } from 'kysely'
import type { Tx } from '../../db/open.ts'

/** Money that came from the chain for a member, named by its id or by its wallet. Base units. */
export type PaidIn = { member: bigint | string; asset: AssetCode; amount: bigint }

/** Opens the own code of members for whom enough was paid in by now; their accounts stay then. Wallets of nobody are passed over. */
export async function notePaidIn(tx: Tx, paid: readonly PaidIn[], now: Date): Promise<void> {
  const parts = paid
    .map(({ member, asset, amount }) => ({ member: String(member), part: partOfOpening(asset, amount) }))
    .filter(({ part }) => part > 0n)
  if (parts.length === 0) return
  await sql`
    with paid as (
      select m.id, least(sum(p.part), 1000000) as part
      from unnest(${parts.map(({ member }) => member)}::text[], ${parts.map(({ part }) => part)}::bigint[]) as p (member, part)
      join member m on case when p.member like '0x%' then m.address = p.member else m.id = p.member::bigint end
      where m.code_open_at is null
      group by m.id
    ),
    summed as (
      select m.id, least(m.paid_in + paid.part, 1000000)::bigint as paid_in from member m join paid on paid.id = m.id
    )
    update member m set paid_in = summed.paid_in,
      code_open_at = case when summed.paid_in = 1000000 then ${now}::timestamptz end,
      leaves_at = case when summed.paid_in = 1000000 then null else m.leaves_at end
    from summed where m.id = summed.id`.execute(tx)
}
