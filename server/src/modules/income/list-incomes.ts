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
import { addDays, yesterdayOf } from '@candela/protocol/calendar'

const endpoint = 'GET user/incomeList'
type Income = Data<typeof endpoint>['items'][number]
type IncomeType = (typeof incomeTypes)[number]

/** The ledger's words for them. */
const kinds = { output: 'income', referral: 'referral' } as const satisfies Record<IncomeType, string>
const CHART_DAYS = 30

/** What a member earned, newest first, straight from the ledger: what is shown is what was booked. */
export async function listIncomes(
  db: Database,
  memberId: bigint,
  input: HandlerInput<typeof endpoint>,
  now: Date,
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
  const [units, daily] = await Promise.all([
    readOwnUnits(db, memberId, days),
    cursor === undefined ? readDaily(db, memberId, now) : [],
  ])
  return {
    items: page.items.map((line) => toIncome(line, units)),
    nextCursor: page.nextCursor,
    daily,
  }
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
const dayOf = (line: StatementLine): string | null => (line.kind === 'income' ? (line.memo?.day ?? null) : null)

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

/** The newest incomes are enough, because a day pays an account once. */
async function readDaily(db: Database, memberId: bigint, now: Date): Promise<Data<typeof endpoint>['daily']> {
  const last = yesterdayOf(now)
  const first = addDays(last, 1 - CHART_DAYS)
  const account = memberAccount(memberId, 'memberAvailable', 'HASH')
  const [paid, closed] = await Promise.all([
    statement(db, { accounts: [account], kinds: [kinds.output], limit: CHART_DAYS, cursor: undefined }),
    db.selectFrom('income_day').select('day').where('day', '>=', first).where('closed_at', 'is not', null).execute(),
  ])
  const amounts = new Map(paid.items.map((line) => [dayOf(line), line.amount]))
  const closedDays = new Set(closed.map(({ day }) => day))
  return Array.from({ length: CHART_DAYS }, (_, nth) => {
    const day = addDays(first, nth)
    return { day, amount: fromBaseUnits(amounts.get(day) ?? 0n), closed: closedDays.has(day) }
  })
}
