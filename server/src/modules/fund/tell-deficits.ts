import { fromBaseUnits } from '@candela/protocol/money/money'
import { type Notice, notify } from '../notice/notify.ts'
import type { Tx } from '../../db/open.ts'
import { profitOf, sharesAt, statesOf } from './holding.ts'
import type { PriceRow } from './rate.ts'

const BATCH = 500

/**
 * Tells the next members of the fund what a deficit has taken from their shares, each once: those who had shares then.
 * @returns false when nobody was left
 */
export async function tellDeficits(tx: Tx, now: Date): Promise<boolean> {
  const deficit = await tx
    .selectFrom('fund_price as p')
    .leftJoin('fund_deficit_notice as n', 'n.price_id', 'p.id')
    .selectAll('p')
    .select('n.told_to')
    .where('p.reason', '=', 'deficit')
    .where('n.told_at', 'is', null)
    .orderBy('p.id')
    .limit(1)
    .executeTakeFirst()
  if (deficit === undefined) return false
  const members = await tx
    .selectFrom('fund_member')
    .select('member_id')
    .where('member_id', '>', deficit.told_to ?? 0n)
    .orderBy('member_id')
    .limit(BATCH)
    .execute()
  const notices: Notice[] = []
  for (const { member_id } of members) notices.push(...(await noticeOf(tx, deficit, member_id)))
  await notify(tx, ...notices)
  const told_to = members.at(-1)?.member_id ?? deficit.told_to ?? 0n
  const told_at = members.length < BATCH ? now : null
  await tx
    .insertInto('fund_deficit_notice')
    .values({ price_id: deficit.id, told_to, told_at })
    // Another that tells at the same time tells the same: each member has one notice of it.
    .onConflict((conflict) => conflict.column('price_id').doUpdateSet({ told_to, told_at }))
    .execute()
  return true
}

async function noticeOf(tx: Tx, deficit: PriceRow, memberId: bigint): Promise<Notice[]> {
  const shares = (await sharesAt(tx, memberId, [deficit.place])).get(deficit.place) ?? 0n
  const loss = -profitOf(shares, ...statesOf(deficit))
  if (loss <= 0n) return []
  const params = {
    asset: 'USDT' as const,
    amount: fromBaseUnits(deficit.assets_before - deficit.assets_after),
    loss: fromBaseUnits(loss),
  }
  return [{ kind: 'fundDeficit', params, memberId, source: `fund-deficit:${deficit.id}`, at: deficit.at }]
}
