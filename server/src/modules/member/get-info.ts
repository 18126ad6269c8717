import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits, mulDiv } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import type { Database } from '../../db/open.ts'
import { type MemberBalance, memberBalances } from '../../ledger/balances.ts'
import { levelOf } from './level.ts'

/** Average prices in USDT base units per whole unit; null where none was observed yet. */
export type AveragePrices = (now: Date) => Promise<Readonly<Record<AssetCode, bigint | null>>>

/** The account of a member. Each figure is read now; none is kept elsewhere. */
export async function getInfo(
  { db, averagePrices }: { db: Database; averagePrices: AveragePrices },
  memberId: bigint,
  now: Date,
): Promise<Data<'GET user/info'>> {
  const [member, balances, prices] = await Promise.all([
    readMember(db, memberId),
    memberBalances(db, memberId),
    averagePrices(now),
  ])
  const activePower = Number(member.active_units ?? 0n)
  const total = totalInUsdt(balances, prices)
  return {
    uid: member.uid.toString(),
    address: member.address,
    ...levelOf(activePower),
    activePower,
    invitationCode: member.invitation_code,
    directReferrals: Number(member.referrals ?? 0n),
    juUid: member.ju_uid?.toString() ?? null,
    balances: assetCodes.map((asset) => ({
      asset,
      available: fromBaseUnits(balances[asset].available),
      held: fromBaseUnits(balances[asset].held),
    })),
    totalUsdt: total === null ? null : fromBaseUnits(total),
    joinedAt: member.joined_at.toISOString(),
  }
}

function readMember(db: Database, memberId: bigint) {
  return db
    .selectFrom('member as m')
    .leftJoin('member_power as p', 'p.member_id', 'm.id')
    .leftJoin('member_referrals as r', 'r.inviter_id', 'm.id')
    .select(['m.uid', 'm.address', 'm.invitation_code', 'm.ju_uid', 'm.joined_at', 'p.active_units', 'r.referrals'])
    .where('m.id', '=', memberId)
    .executeTakeFirstOrThrow()
}

/** Rounded down per asset. An asset of which the member has nothing needs no price; null when a needed one is missing. */
export function totalInUsdt(
  balances: Readonly<Record<AssetCode, MemberBalance>>,
  prices: Readonly<Record<AssetCode, bigint | null>>,
): bigint | null {
  let total = 0n
  for (const asset of assetCodes) {
    const amount = balances[asset].available + balances[asset].held
    if (amount === 0n) continue
    const price = prices[asset]
    if (price === null) return null
    total += mulDiv(amount, price, WHOLE_UNIT)
  }
  return total
}
