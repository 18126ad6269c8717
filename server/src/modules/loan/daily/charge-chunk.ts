import { addDays } from '@candela/protocol/calendar'
import { PPM, WHOLE_UNIT } from '@candela/protocol/units'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../../../db/open.ts'
import { queryRows } from '../../../db/query-rows.ts'
import { uuidFromName } from '../../../kernel/ids.ts'
import { loanAccount, platformAccount } from '../../../ledger/chart.ts'
import { postCollection } from '../../../ledger/collect.ts'
import type { ChangeDeps } from '../record/change-loan.ts'
import { BEYOND_ALL_PRICES, WATCH_DAYS } from '../record/loan-record.ts'

const chargedRow = z.object({
  id: z.bigint(),
  project_id: z.bigint().nullable(),
  interest: z.bigint(),
  reserve: z.bigint(),
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
  const looked = await tx
    .selectFrom('loan')
    .select('id')
    .where('closed_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(chunk)
    .forNoKeyUpdate()
    .execute()
  const last = looked.at(-1)?.id ?? null
  if (last === null) return { last, loans: 0n, interest: 0n }
  const charged = await chargeRows(tx, { day, after, last })
  for (const [projectId, interest] of byProject(charged)) {
    await addLent(tx, projectId, { principal: 0n, interest })
  }
  const sum = (amountOf: (row: ChargedRow) => bigint) => charged.reduce((total, row) => total + amountOf(row), 0n)
  const interest = sum((row) => row.interest)
  const reserve = sum((row) => row.reserve)
  const debits = charged
    .filter((row) => row.interest > 0n)
    .map((row) => ({ account: loanAccount(row.id, 'loanInterest', 'USDT'), amount: row.interest }))
  if (debits.length > 0) {
    await postCollection(tx, {
      id: uuidFromName(`loans:${day}:${after}`),
      kind: 'interest',
      memo: { day },
      occurredAt: now,
      debits,
      credits: [
        { account: platformAccount('fundPending', 'USDT'), amount: interest - reserve },
        { account: platformAccount('reserveClaims', 'USDT'), amount: reserve },
      ].filter(({ amount }) => amount > 0n),
    })
  }
  return { last, loans: BigInt(charged.length), interest }
}

/** In the order of the projects, so that all lock them in the same order. */
function byProject(rows: readonly ChargedRow[]): [bigint, bigint][] {
  const sums = new Map<bigint, bigint>()
  for (const { project_id, interest } of rows) {
    if (project_id !== null) sums.set(project_id, (sums.get(project_id) ?? 0n) + interest)
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** Interest is `dayInterest`, the reserve’s part `splitInterest`, the bounds `boundOf`: here for many loans at once. */
async function chargeRows(
  tx: Tx,
  { day, after, last }: { day: string; after: bigint; last: bigint },
): Promise<ChargedRow[]> {
  const rows = await queryRows(
    tx,
    chargedRow,
    sql`
    with day as materialized (
      select id, div(principal * rate_ppm + ${365n * PPM - 1n}::numeric, ${365n * PPM}::numeric) as interest
      from loan
      where closed_at is null and id > ${after} and id <= ${last}
        and interest_through = ${addDays(day, -1)}::date and next_due_on >= ${day}::date
    ),
    figures as materialized (
      select loan.id, day.interest,
        div((interest_charged + day.interest) * reserve_ppm, ${PPM}::numeric)
          - div(interest_charged * reserve_ppm, ${PPM}::numeric) as reserve,
        watch_through <= ${day}::date as refresh,
        (principal + interest_charged - interest_paid + late_charged - late_paid + day.interest * ${1 + WATCH_DAYS})
          * ${PPM * WHOLE_UNIT}::numeric as ahead
      from day join loan on loan.id = day.id
    ),
    charged as (
      update loan set interest_charged = interest_charged + f.interest, interest_through = ${day}::date,
        watch_through = case when f.refresh then ${addDays(day, WATCH_DAYS)}::date else watch_through end,
        watch_price = case when not f.refresh then watch_price when collateral = 0 then ${BEYOND_ALL_PRICES}::numeric
          else div(f.ahead + collateral * clearing_ppm - 1, collateral * clearing_ppm) end,
        safety_price = case when not f.refresh then safety_price when collateral = 0 then ${BEYOND_ALL_PRICES}::numeric
          else div(f.ahead + collateral * safety_ppm - 1, collateral * safety_ppm) end
      from figures f
      where loan.id = f.id
      returning loan.id, loan.project_id, f.interest, f.reserve
    )
    select id, project_id, interest, reserve from charged order by id`,
  )
  return rows
}
