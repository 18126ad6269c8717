import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import type { Data } from '@candela/protocol/endpoints'
import { fromBaseUnits, mulDiv } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import { sharedPrices } from '../../chain/price/price.ts'
import type { Database } from '../../db/open.ts'
import { queryRows } from '../../db/query-rows.ts'
import { must } from '../../kernel/assert.ts'
import { balanceAccounts, balancesOf, type MemberBalance } from '../../ledger/balances.ts'
import { levelOf } from './level.ts'

/** Average prices in USDT base units per whole unit; null where none was observed yet. */
type AveragePrices = (now: Date) => Promise<Readonly<Record<AssetCode, bigint | null>>>

/** For all calls of a server. Only shows what a balance is worth, so a paused average may be used. */
export function sharedAverages(db: Database): AveragePrices {
  const read = sharedPrices(db)
  return async (now) => {
    const { JU, USDT, HASH } = await read(now)
    return { JU: JU.average, USDT: USDT.average, HASH: HASH.average }
  }
}

/** The account of a member. Each figure is read now; none is kept elsewhere. */
export async function getInfo(
  { db, averagePrices }: { db: Database; averagePrices: AveragePrices },
  memberId: bigint,
  now: Date,
): Promise<Data<'GET user/info'>> {
  const [rows, prices] = await Promise.all([readMember(db, memberId), averagePrices(now)])
  const member = must(rows[0], 'a member with a session')
  const balances = balancesOf(memberId, rows)
  const activePower = Number(member.active_units ?? 0n)
  const total = totalInUsdt(balances, prices)
  const state = member.code_closed_at !== null ? 'closed' : member.code_open_at === null ? 'waits' : 'open'
  return {
    uid: member.uid.toString(),
    address: member.address,
    ...levelOf(activePower),
    activePower,
    invitationCode: state === 'open' ? member.invitation_code : '',
    invitationState: state,
    leavesAt: member.leaves_at?.toISOString() ?? null,
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

const memberRow = z.object({
  uid: z.bigint(),
  address: z.string(),
  invitation_code: z.string(),
  code_open_at: z.date().nullable(),
  code_closed_at: z.date().nullable(),
  leaves_at: z.date().nullable(),
  ju_uid: z.bigint().nullable(),
  joined_at: z.date(),
  active_units: z.bigint().nullable(),
  referrals: z.bigint().nullable(),
  account: z.bigint().nullable(),
  balance: z.bigint().nullable(),
})

/** The member once for each of its accounts, at least once. By one statement, as the app asks for this most often. */
const readMember = (db: Database, memberId: bigint) =>
  queryRows(
    db,
    memberRow,
    sql`
    select m.uid, m.address, m.invitation_code, m.code_open_at, m.code_closed_at, m.leaves_at, m.ju_uid, m.joined_at, p.active_units, r.referrals,
      a.id as account, a.balance
    from member m
    left join member_power p on p.member_id = m.id
    left join member_referrals r on r.inviter_id = m.id
    left join ledger_account a on a.id = any(${balanceAccounts(memberId)}::bigint[])
    where m.id = ${memberId}`,
  )

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
