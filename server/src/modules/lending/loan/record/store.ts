import type { Due } from '@candela/protocol/lending/loan'
import { codes } from '@candela/protocol/codes/codes'
import { type Insertable, sql } from 'kysely'
import { anyOf, columnsOf, rowsOf } from '../../../../db/any-of.ts'
import type { Database, Tx } from '../../../../db/open.ts'
import type { Tables } from '../../../../db/tables/index.ts'
import { AppError } from '../../../../kernel/errors.ts'
import type { LoanRecord, LoanRow } from './loan-record.ts'

/** Names a loan: by its number or id; of this member only, when one is given. */
export type LoanKey = ({ loanNo: string } | { id: bigint }) & { memberId?: bigint }

/** A loan as it is stored. @throws AppError 404 */
export async function readLoan(db: Database, key: LoanKey): Promise<LoanRecord> {
  const row = await db
    .selectFrom('loan_with_debt')
    .selectAll()
    .$if('loanNo' in key, (query) => query.where('loan_no', '=', 'loanNo' in key ? key.loanNo : ''))
    .$if('id' in key, (query) => query.where('id', '=', 'id' in key ? key.id : 0n))
    .$if(key.memberId !== undefined, (query) => query.where('member_id', '=', key.memberId ?? 0n))
    .executeTakeFirst()
  if (row === undefined) throw new AppError(codes.notFound)
  return { row, dues: (await readDues(db, [row.id])).get(row.id) ?? [] }
}

/** The same under its lock: until the transaction ends nobody else changes it. @throws AppError 404 */
export async function lockLoan(tx: Tx, key: LoanKey): Promise<LoanRecord> {
  const { row } = 'id' in key ? { row: { id: key.id } } : await readLoan(tx, key)
  const [loan] = await lockLoans(tx, [row.id])
  if (loan === undefined || (key.memberId !== undefined && loan.row.member_id !== key.memberId)) {
    throw new AppError(codes.notFound)
  }
  return loan
}

/** Locks loans in the order of their ids. */
export async function lockLoans(tx: Tx, ids: readonly bigint[]): Promise<LoanRecord[]> {
  if (ids.length === 0) return []
  await tx
    .selectFrom('loan_debt')
    .select('loan_id')
    .where('loan_id', '=', anyOf(ids))
    .orderBy('loan_id')
    .forNoKeyUpdate()
    .execute()
  // A statement of its own sees what those that held the locks have changed.
  const rows = await tx.selectFrom('loan_with_debt').selectAll().where('id', '=', anyOf(ids)).orderBy('id').execute()
  const dues = await readDues(tx, ids)
  return rows.map((row) => ({ row, dues: dues.get(row.id) ?? [] }))
}

/** Due amounts of loans, in the order of their days. */
export async function readDues(db: Database, loanIds: readonly bigint[]): Promise<Map<bigint, Due[]>> {
  const dues = new Map<bigint, Due[]>(loanIds.map((id) => [id, []]))
  if (loanIds.length === 0) return dues
  const rows = await db
    .selectFrom('loan_due')
    .selectAll()
    .where('loan_id', '=', anyOf(loanIds))
    .orderBy('number')
    .execute()
  for (const row of rows) {
    dues.get(row.loan_id)?.push({
      number: row.number,
      dueOn: row.due_on,
      amount: row.amount,
      paid: row.paid,
      fee: row.fee,
      feePaid: row.fee_paid,
      lateThrough: row.late_through,
    })
  }
  return dues
}

export type NewLoanRow = Insertable<Tables['loan']>
export type NewDebt = Omit<Insertable<Tables['loan_debt']>, 'loan_id'>

/** Writes a new loan with its debt and its due amounts. */
export async function insertLoan(tx: Tx, values: NewLoanRow, owed: NewDebt, dues: readonly Due[]): Promise<LoanRecord> {
  const loan = await tx.insertInto('loan').values(values).returningAll().executeTakeFirstOrThrow()
  const { loan_id: _, ...debt } = await tx
    .insertInto('loan_debt')
    .values({ ...owed, loan_id: loan.id })
    .returningAll()
    .executeTakeFirstOrThrow()
  const row = { ...loan, ...debt }
  await writeDues(tx, [{ row, dues }])
  return { row, dues }
}

/** The columns of a loan and of its debt that change; the statement below names the same columns. */
const CHANGING = [
  'due_on',
  'state',
  'collateral',
  'watch_price',
  'safety_price',
  'warned_at',
  'reminded_for',
  'closed_at',
  'principal',
  'interest_charged',
  'interest_paid',
  'late_charged',
  'late_paid',
  'interest_through',
  'next_due_on',
  'watch_through',
] as const satisfies readonly (keyof LoanRow)[]

/** Writes what changed of loans that are locked. */
export async function saveLoans(tx: Tx, changes: readonly { before: LoanRecord; loan: LoanRecord }[]): Promise<void> {
  if (changes.length === 0) return
  const saved = changes.map(({ loan: { row } }) => ({
    id: String(row.id),
    ...Object.fromEntries(CHANGING.map((name) => [name, asJson(row[name])])),
  }))
  await sql`
    with saved as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(saved)}::jsonb) as saved (
        id bigint, due_on date, state text, collateral numeric, watch_price numeric, safety_price numeric, warned_at timestamptz,
        reminded_for date, closed_at timestamptz, principal numeric, interest_charged numeric, interest_paid numeric,
        late_charged numeric, late_paid numeric, interest_through date, next_due_on date, watch_through date
      )
    ),
    owed as (
      update loan_debt set principal = saved.principal, interest_charged = saved.interest_charged,
        interest_paid = saved.interest_paid, late_charged = saved.late_charged, late_paid = saved.late_paid,
        interest_through = saved.interest_through, next_due_on = saved.next_due_on, watch_through = saved.watch_through
      from saved where loan_debt.loan_id = saved.id
    )
    update loan set due_on = saved.due_on, state = saved.state, collateral = saved.collateral, watch_price = saved.watch_price,
      safety_price = saved.safety_price, audited_at = null, warned_at = saved.warned_at, reminded_for = saved.reminded_for, closed_at = saved.closed_at
    from saved where loan.id = saved.id`.execute(tx)
  await writeDues(
    tx,
    changes.filter(({ before, loan }) => loan.dues !== before.dues).map(({ loan }) => loan),
  )
}

/** Since when borrowers are told that they are at their safety line; null when they are below it again. */
export async function saveWarnings(tx: Tx, ids: readonly bigint[], warned_at: Date | null): Promise<void> {
  await tx.updateTable('loan').set({ warned_at }).where('id', '=', anyOf(ids)).execute()
}

/** The due date that borrowers were reminded of last is the next one. */
export async function saveReminders(tx: Tx, loans: readonly LoanRecord[]): Promise<void> {
  await sql`
    update loan set reminded_for = loan_debt.next_due_on from loan_debt
    where loan_debt.loan_id = loan.id and loan.id = any(${loans.map(({ row }) => row.id)}::bigint[])`.execute(tx)
}

/** Amounts as text: a number of JSON would lose digits. */
const asJson = (value: bigint | Date | string | null) => (typeof value === 'bigint' ? String(value) : value)

async function writeDues(tx: Tx, loans: readonly LoanRecord[]): Promise<void> {
  const rows = loans.flatMap(({ row, dues }) =>
    dues.map((due) => ({
      loan_id: row.id,
      number: due.number,
      due_on: due.dueOn,
      amount: due.amount,
      paid: due.paid,
      fee: due.fee,
      fee_paid: due.feePaid,
      late_through: due.lateThrough,
    })),
  )
  if (rows.length === 0) return
  await tx
    .insertInto('loan_due')
    .columns(columnsOf(rows))
    .expression(rowsOf('loan_due', rows))
    .onConflict((conflict) =>
      conflict.columns(['loan_id', 'number']).doUpdateSet((row) => ({
        due_on: row.ref('excluded.due_on'),
        amount: row.ref('excluded.amount'),
        paid: row.ref('excluded.paid'),
        fee: row.ref('excluded.fee'),
        fee_paid: row.ref('excluded.fee_paid'),
        late_through: row.ref('excluded.late_through'),
      })),
    )
    .execute()
}
