import { assetCodes } from '@candela/protocol/money/assets'
import type { Data, HandlerInput } from '@candela/protocol/endpoints'
import type { incomeTypes } from '@candela/protocol/endpoints/income'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import { queryRows } from '../../db/query-rows.ts'
import { z } from 'zod'
import type { Database } from '../../db/open.ts'
import { accountAsset, memberAccount } from '../../ledger/chart.ts'
import { statement, type StatementLine } from '../../ledger/statement/statement.ts'

const endpoint = 'GET user/incomeList'
type Income = Data<typeof endpoint>['items'][number]
type IncomeType = (typeof incomeTypes)[number]

/** The ledger's words for them. */
const kinds = { output: 'income', referral: 'referral' } as const satisfies Record<IncomeType, string>

/** Lists what a member earned, newest first, straight from the ledger: what is shown is what was booked. */
export async function listIncomes(
  db: Database,
  memberId: bigint,
  input: HandlerInput<typeof endpoint>,
): Promise<Data<typeof endpoint>> {
  const { type, cursor, limit } = input
  const assets = type === 'output' ? (['HASH'] as const) : assetCodes
  const page = await statement(db, {
    accounts: assets.map((asset) => memberAccount(memberId, 'memberAvailable', asset)),
    kinds: type === undefined ? Object.values(kinds) : [kinds[type]],
    limit,
    cursor,
  })
  const days = page.items.flatMap((line) => dayOf(line) ?? [])
  const units = await readOwnUnits(db, memberId, days)
  return { items: page.items.map((line) => toIncome(line, units)), nextCursor: page.nextCursor }
}

function toIncome(line: StatementLine, units: ReadonlyMap<string, Income['units']>): Income {
  const day = dayOf(line)
  return {
    id: `${line.postingId}.${line.line}`,
    type: line.kind === kinds.referral ? 'referral' : 'output',
    asset: accountAsset(line.account),
    amount: fromBaseUnits(line.amount),
    at: line.occurredAt.toISOString(),
    day,
    units: day === null ? [] : (units.get(day) ?? []),
    txHash: line.kind === 'referral' ? (line.memo?.txHash ?? null) : null,
  }
}

/** The day that an output was earned on; null for rewards. */
export const dayOf = (line: StatementLine): string | null => (line.kind === 'income' ? (line.memo?.day ?? null) : null)

const unitsRow = z.object({ day: z.string(), plan_id: z.bigint(), units: z.bigint() })

/** A member's units by plan on each of these days. What earned on a shared day does not change any more. */
async function readOwnUnits(
  db: Database,
  memberId: bigint,
  days: readonly string[],
): Promise<Map<string, Income['units']>> {
  if (days.length === 0) return new Map()
  const rows = await queryRows(
    db,
    unitsRow,
    sql`
    select d.day, o.plan_id, sum(o.units)::bigint as units
    from unnest(${days}::date[]) as d(day)
    -- An order that earns on a day ends within the longest term after it: older and later ones are not read.
    join power_order o on o.member_id = ${memberId} and o.starts_on <= d.day and o.ends_on >= d.day
      and o.ends_on < d.day + coalesce((select max(term_days) from power_plan), 0)
    group by d.day, o.plan_id order by d.day, o.plan_id`,
  )
  const found = new Map<string, Income['units']>()
  for (const { day, plan_id, units } of rows) {
    const own = found.get(day) ?? []
    own.push({ planId: String(plan_id), units: Number(units) })
    found.set(day, own)
  }
  return found
}
