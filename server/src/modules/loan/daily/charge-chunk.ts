import { addDays } from '@candela/protocol/calendar'
import { PPM, WHOLE_UNIT } from '@candela/protocol/units'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'
import { must } from '../../../kernel/assert.ts'
import { uuidFromName } from '../../../kernel/ids.ts'
import { loanAccountNumbers, platformAccount } from '../../../ledger/chart.ts'
import { postCollection } from '../../../ledger/collect.ts'
import type { ChangeDeps } from '../record/change-loan.ts'
import { BEYOND_ALL_PRICES, WATCH_DAYS } from '../record/loan-record.ts'

/** What was charged of a chunk, summed up, and each loan's interest as two lists in the order of the loans. */
const chargedRow = z.object({
  last: z.bigint().nullable(),
  loans: z.bigint(),
  interest: z.bigint(),
  reserve: z.bigint(),
  accounts: z.array(z.bigint()),
  amounts: z.array(z.bigint()),
  projects: z.array(z.bigint()),
  earned: z.array(z.bigint()),
})
type ChargedRow = z.output<typeof chargedRow>

/** `last` is the last loan that was looked at; null when none was left. */
export type ChargedChunk = { last: bigint | null; loans: bigint; interest: bigint }

/**
 * Charges the interest of a day to the next loans that have no late amount and were charged up to the day before: the
 * same as `chargeStep` does for one. Others are left to it.
 * @param after the last loan of the chunk before
 */
export async function chargeChunk(
  tx: Tx,
  { addLent }: Pick<ChangeDeps, 'addLent'>,
  { day, after, chunk, now }: { day: string; after: bigint; chunk: number; now: Date },
): Promise<ChargedChunk> {
  const { last, loans, interest, reserve, accounts, amounts, projects, earned } = await chargeLoans(tx, {
    day,
    after,
    chunk,
  })
  // In the order of the projects, so that all lock them in the same order.
  for (const [place, project] of projects.entries()) {
    await addLent(tx, project, { principal: 0n, interest: earned[place] ?? 0n })
  }
  if (accounts.length > 0) {
    await postCollection(tx, {
      id: uuidFromName(`loans:${day}:${after}`),
      kind: 'interest',
      memo: { day },
      occurredAt: now,
      debits: { accounts, amounts },
      credits: [
        { account: platformAccount('fundPending', 'USDT'), amount: interest - reserve },
        { account: platformAccount('reserveClaims', 'USDT'), amount: reserve },
      ].filter(({ amount }) => amount > 0n),
    })
  }
  return { last, loans, interest }
}

/**
 * Interest is `dayInterest`, the reserve’s part `splitInterest`, the bounds `boundOf`: here for many loans at once. Each is computed
 * from the row as it is when it is written, so no loan has to be locked before.
 */
async function chargeLoans(
  tx: Tx,
  { day, after, chunk }: { day: string; after: bigint; chunk: number },
): Promise<ChargedRow> {
  const { factor, offset } = loanAccountNumbers('loanInterest', 'USDT')
  const interest = sql`div(principal * rate_ppm + ${365n * PPM - 1n}::numeric, ${365n * PPM}::numeric)`
  const isStale = sql`watch_through <= ${day}::date`
  const ahead = sql`((principal + interest_charged - interest_paid + late_charged - late_paid + ${interest} * ${1 + WATCH_DAYS})
    * ${PPM * WHOLE_UNIT}::numeric)`
  const bound = (line: RawBuilder<unknown>) => sql`case when collateral = 0 then ${BEYOND_ALL_PRICES}::numeric
    else div(${ahead} + collateral * ${line} - 1, collateral * ${line}) end`
  const [row] = await queryRows(
    tx,
    chargedRow,
    sql`
    with looked as materialized (
      select max(id) as last
      from (select id from loan where closed_at is null and id > ${after} order by id limit ${chunk}) next
    ),
    charged as (
      update loan set interest_charged = interest_charged + ${interest}, interest_through = ${day}::date,
        watch_through = case when ${isStale} then ${addDays(day, WATCH_DAYS)}::date else watch_through end,
        watch_price = case when ${isStale} then ${bound(sql`clearing_ppm`)} else watch_price end,
        safety_price = case when ${isStale} then ${bound(sql`safety_ppm`)} else safety_price end
      where closed_at is null and id > ${after} and id <= (select last from looked)
        and interest_through = ${addDays(day, -1)}::date and next_due_on >= ${day}::date
      returning id, project_id, ${interest} as interest,
        div(interest_charged * reserve_ppm, ${PPM}::numeric)
          - div((interest_charged - ${interest}) * reserve_ppm, ${PPM}::numeric) as reserve
    ),
    earned as (
      select project_id, sum(interest) as interest from charged where project_id is not null group by project_id
    )
    select (select last from looked) as last, count(*) as loans, coalesce(sum(interest), 0)::numeric as interest,
      coalesce(sum(reserve), 0)::numeric as reserve,
      coalesce(array_agg(id * ${factor}::bigint + ${offset}::bigint order by id) filter (where interest > 0), '{}') as accounts,
      coalesce(array_agg(interest order by id) filter (where interest > 0), '{}') as amounts,
      (select coalesce(array_agg(project_id order by project_id), '{}') from earned) as projects,
      (select coalesce(array_agg(interest order by project_id), '{}') from earned) as earned
    from charged`,
  )
  return must(row, 'sums are one row')
}
