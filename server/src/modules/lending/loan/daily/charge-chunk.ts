import { addDays, startOfDay } from '@candela/protocol/calendar'
import { PPM, WHOLE_UNIT } from '@candela/protocol/units'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../../../../db/open.ts'
import { queryRows } from '../../../../db/query-rows.ts'
import { must } from '../../../../kernel/assert.ts'
import { uuidFromName } from '../../../../kernel/ids.ts'
import { loanAccountNumbers, platformAccount } from '../../../../ledger/chart.ts'
import { collecting } from '../../../../ledger/collect.ts'
import { addLent } from '../../project/lend.ts'
import { BEYOND_ALL_PRICES, WATCH_DAYS } from '../record/loan-record.ts'

/** The charges of a chunk, summed up, and those of the loans of each project. */
const chargedRow = z.object({
  last: z.bigint().nullable(),
  loans: z.bigint(),
  interest: z.bigint(),
  posted: z.bigint().nullable(),
  projects: z.array(z.bigint()),
  earned: z.array(z.bigint()),
})

/** `last` is the last loan that was looked at; null when none was left. */
export type ChargedChunk = { last: bigint | null; loans: bigint; interest: bigint }

type Chunk = { day: string; after: bigint; chunk: number; now: Date }

/**
 * Charges the interest of a day to the next loans that have no late amount and were charged up to the day before: the
 * same as `chargeStep` does for one. Others are left to it.
 * @param after the last loan of the chunk before
 */
export async function chargeChunk(tx: Tx, chunk: Chunk): Promise<ChargedChunk> {
  const [row] = await queryRows(tx, chargedRow, chargeLoans(chunk))
  const { last, loans, interest, projects, earned } = must(row, 'sums are one row')
  // In the order of the projects, so that all lock them in the same order.
  for (const [place, project] of projects.entries()) {
    await addLent(tx, project, { principal: 0n, interest: earned[place] ?? 0n })
  }
  return { last, loans, interest }
}

/**
 * Interest is `dayInterest`, the reserve’s part `splitInterest`, the bounds `boundOf`: here for many loans at once. Each is computed
 * from the row as it is when it is written, so no loan has to be locked before.
 */
function chargeLoans({ day, after, chunk, now }: Chunk) {
  const { factor, offset } = loanAccountNumbers('loanInterest', 'USDT')
  const interest = sql`div(principal * rate_ppm + ${365n * PPM - 1n}::numeric, ${365n * PPM}::numeric)`
  const watchedTo = addDays(day, WATCH_DAYS)
  const posting = collecting({
    id: uuidFromName(`loans:${day}:${after}`, startOfDay(day)),
    kind: 'interest',
    memo: { day },
    occurredAt: now,
    debits: { accounts: sql`accounts`, amounts: sql`amounts` },
    credits: [
      { account: platformAccount('fundPending', 'USDT'), amount: sql`interest - reserve` },
      { account: platformAccount('reserveClaims', 'USDT'), amount: sql`reserve` },
    ],
  })
  return sql`
    with looked as materialized (
      select max(loan_id) as last
      from (select loan_id from loan_debt where next_due_on is not null and loan_id > ${after} order by loan_id limit ${chunk}) next
    ),
    charged as (
      update loan_debt set interest_charged = interest_charged + ${interest}, interest_through = ${day}::date,
        watch_through = case when watch_through <= ${day}::date then ${watchedTo}::date else watch_through end
      where next_due_on >= ${day}::date and loan_id > ${after} and loan_id <= (select last from looked)
        and interest_through = ${addDays(day, -1)}::date
      returning loan_id, project_id, ${interest} as interest, interest_charged, reserve_ppm, watch_through,
        case when watch_through = ${watchedTo}::date then
          (principal + interest_charged - interest_paid + late_charged - late_paid + ${interest} * ${WATCH_DAYS})
            * ${PPM * WHOLE_UNIT}::numeric end as ahead
    ),
    bounded as (
      update loan set watch_price = ${bound(sql`clearing_ppm`)}, safety_price = ${bound(sql`safety_ppm`)}
      from charged where loan.id = charged.loan_id and charged.watch_through = ${watchedTo}::date
    ),
    earned as (
      select project_id, sum(interest) as interest from charged where project_id is not null group by project_id
    ),
    summed as materialized (
      select count(*) as loans, coalesce(sum(interest), 0)::numeric as interest,
        coalesce(sum(div(interest_charged * reserve_ppm, ${PPM}::numeric)
          - div((interest_charged - interest) * reserve_ppm, ${PPM}::numeric)), 0)::numeric as reserve,
        array_agg(loan_id * ${factor}::bigint + ${offset}::bigint) filter (where interest > 0) as accounts,
        array_agg(interest) filter (where interest > 0) as amounts
      from charged
    )
    select (select last from looked) as last, loans, interest, case when interest > 0 then ${posting} end as posted,
      (select coalesce(array_agg(project_id order by project_id), '{}') from earned) as projects,
      (select coalesce(array_agg(interest order by project_id), '{}') from earned) as earned
    from summed`
}

/** `boundOf` of a loan that was just charged. */
const bound = (line: RawBuilder<unknown>) => sql`case when collateral = 0 then ${BEYOND_ALL_PRICES}::numeric
  else div(charged.ahead + collateral * ${line} - 1, collateral * ${line}) end`
