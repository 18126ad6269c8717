import type { Due } from '@candela/protocol/lending/loan'
import type { Repayment } from '@candela/protocol/lending/repayment'
import { DAY_MS } from '@candela/protocol/units'
import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { anyOf } from '../../../../db/any-of.ts'
import type { Tx } from '../../../../db/open.ts'
import type { Tables } from '../../../../db/tables/index.ts'
import type { LoanRecord, LoanRow } from './loan-record.ts'

const NOTHING: Repayment = { charges: 0n, fees: 0n, interest: 0n, principal: 0n }

/** A recorded act on a debt. `payerId` gets back what a payment need not pay; null is the reserve. */
export type Done =
  | { kind: 'opened' }
  | { kind: 'payment'; payerId: bigint | null; parts: Repayment }
  | { kind: 'sale'; parts: Repayment }
  | { kind: 'schedule'; count: number }

/** How a debt stands. */
export type Standing = Pick<
  LoanRow,
  'principal' | 'interest_charged' | 'interest_paid' | 'late_charged' | 'late_paid' | 'interest_through' | 'due_on'
> & { dues: readonly Due[] }

/** A step of a loan's history, with how the debt stood after it. The id is null until it is written. */
export type PastStep = { id: bigint | null; at: Date; day: string; done: Done; standing: Standing }

export const standingOf = ({ row, dues }: LoanRecord): Standing => ({
  principal: row.principal,
  interest_charged: row.interest_charged,
  interest_paid: row.interest_paid,
  late_charged: row.late_charged,
  late_paid: row.late_paid,
  interest_through: row.interest_through,
  due_on: row.due_on,
  dues,
})

export const partsOf = (done: Done): Repayment => ('parts' in done ? done.parts : NOTHING)

/** Steps older than this are deleted, but the last of them. Crediting that is halted for longer counts from there. */
const KEPT_DAYS = 60

/** The history of locked loans from the last step at or before an instant on, in its order. */
export async function readSteps(tx: Tx, loanIds: readonly bigint[], from: Date): Promise<Map<bigint, PastStep[]>> {
  const rows = await tx
    .selectFrom('loan_step as s')
    .selectAll()
    .where('loan_id', '=', anyOf(loanIds))
    .where(
      sql<boolean>`s.at >= coalesce((
        select max(b.at) from loan_step b where b.loan_id = s.loan_id and b.at <= ${from}), '-infinity')`,
    )
    .orderBy('at')
    .orderBy('id')
    .execute()
  const steps = Map.groupBy(
    rows.map((row) => [row.loan_id, stepOf(row)] as const),
    ([loanId]) => loanId,
  )
  return new Map([...steps].map(([loanId, found]) => [loanId, found.map(([, step]) => step)]))
}

/** Writes what was done to a locked loan last. A clock that is behind changes no order. */
export async function appendStep(tx: Tx, { row, dues }: LoanRecord, done: Done, at: Date, day: string): Promise<void> {
  const step = { id: null, at, day, done, standing: standingOf({ row, dues }) }
  const last = await tx
    .selectFrom('loan_step')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('loan_id', '=', row.id)
    .executeTakeFirstOrThrow()
  await writeSteps(tx, row.id, [{ ...step, at: last.at !== null && last.at > at ? last.at : at }])
  const cutoff = new Date(at.getTime() - KEPT_DAYS * DAY_MS)
  await sql`
    delete from loan_step where loan_id = ${row.id} and at < (
      select max(b.at) from loan_step b where b.loan_id = ${row.id} and b.at < ${cutoff})`.execute(tx)
}

/** Writes new steps, and those that were counted anew. */
export async function writeSteps(tx: Tx, loanId: bigint, steps: readonly PastStep[]): Promise<void> {
  for (const { id, at, day, done, standing } of steps) {
    const counted = { ...partsOf(done), standing: JSON.stringify(standing, asText) }
    if (id !== null) {
      await tx.updateTable('loan_step').set(counted).where('id', '=', id).execute()
      continue
    }
    const payer_id = done.kind === 'payment' ? done.payerId : null
    const count = done.kind === 'schedule' ? done.count : null
    await tx
      .insertInto('loan_step')
      .values({ loan_id: loanId, at, day, kind: done.kind, payer_id, count, ...counted })
      .execute()
  }
}

/** Amounts as text: a number of JSON would lose digits. */
const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

const amount = z.string().transform(BigInt)
const standing = z.object({
  principal: amount,
  interest_charged: amount,
  interest_paid: amount,
  late_charged: amount,
  late_paid: amount,
  interest_through: z.string(),
  due_on: z.string(),
  dues: z.array(
    z.object({
      number: z.number(),
      dueOn: z.string(),
      amount: amount.nullable(),
      paid: amount,
      fee: amount,
      feePaid: amount,
      lateThrough: z.string().nullable(),
    }),
  ),
})

const stepOf = (row: Selectable<Tables['loan_step']>): PastStep => ({
  id: row.id,
  at: row.at,
  day: row.day,
  done: doneOf(row),
  standing: standing.parse(row.standing),
})

function doneOf(row: Selectable<Tables['loan_step']>): Done {
  const { charges, fees, interest, principal } = row
  const parts = { charges, fees, interest, principal }
  if (row.kind === 'schedule') return { kind: row.kind, count: row.count ?? 1 }
  if (row.kind === 'payment') return { kind: row.kind, payerId: row.payer_id, parts }
  return row.kind === 'sale' ? { kind: row.kind, parts } : { kind: row.kind }
}
