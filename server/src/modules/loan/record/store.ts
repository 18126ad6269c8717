import type { Due } from '@candela/protocol/credit/loan'
import { codes } from '@candela/protocol/codes/codes'
import { type Insertable, sql } from 'kysely'
import type { Database, Tx } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { LoanRecord, LoanRow } from './loan-record.ts'

/** Which loan: by its number or id; of this member only, when one is given. */
export type LoanKey = ({ loanNo: string } | { id: bigint }) & { memberId?: bigint }

/** A loan as it is stored. @throws AppError 404 */
export async function readLoan(db: Database, key: LoanKey): Promise<LoanRecord> {
  return withDues(db, await selectLoan(db, key).executeTakeFirst())
}

/** The same under its lock: until the transaction ends nobody else changes it. @throws AppError 404 */
export async function lockLoan(tx: Tx, key: LoanKey): Promise<LoanRecord> {
  return withDues(tx, await selectLoan(tx, key).forNoKeyUpdate().executeTakeFirst())
}

/** Locks loans in the order of their ids. */
export async function lockLoans(tx: Tx, ids: readonly bigint[]): Promise<LoanRecord[]> {
  if (ids.length === 0) return []
  const rows = await tx.selectFrom('loan').selectAll().where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
  const dues = await readDues(tx, ids)
  return rows.map((row) => ({ row, dues: dues.get(row.id) ?? [] }))
}

const selectLoan = (db: Database, key: LoanKey) =>
  db
    .selectFrom('loan')
    .selectAll()
    .$if('loanNo' in key, (query) => query.where('loan_no', '=', 'loanNo' in key ? key.loanNo : ''))
    .$if('id' in key, (query) => query.where('id', '=', 'id' in key ? key.id : 0n))
    .$if(key.memberId !== undefined, (query) => query.where('member_id', '=', key.memberId ?? 0n))

async function withDues(db: Database, row: LoanRow | undefined): Promise<LoanRecord> {
  if (row === undefined) throw new AppError(codes.notFound)
  return { row, dues: (await readDues(db, [row.id])).get(row.id) ?? [] }
}

/** Due amounts of loans, in the order of their days. */
export async function readDues(db: Database, loanIds: readonly bigint[]): Promise<Map<bigint, Due[]>> {
  const dues = new Map<bigint, Due[]>(loanIds.map((id) => [id, []]))
  if (loanIds.length === 0) return dues
  const rows = await db.selectFrom('loan_due').selectAll().where('loan_id', 'in', loanIds).orderBy('number').execute()
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

/** Writes a new loan with its due amounts. */
export async function insertLoan(
  tx: Tx,
  values: Insertable<Tables['loan']>,
  dues: readonly Due[],
): Promise<LoanRecord> {
  const row = await tx.insertInto('loan').values(values).returningAll().executeTakeFirstOrThrow()
  await writeDues(tx, [{ row, dues }])
  return { row, dues }
}

/** What changes of a loan; the statement below names the same columns. */
const CHANGING = [
  'due_on',
  'state',
  'principal',
  'interest_charged',
  'interest_paid',
  'late_charged',
  'late_paid',
  'collateral',
  'interest_through',
  'next_due_on',
  'watch_price',
  'safety_price',
  'watch_through',
  'warned_at',
  'reminded_for',
  'closed_at',
] as const satisfies readonly (keyof LoanRow)[]

/** Writes what changed of loans whose rows are locked. */
export async function saveLoans(tx: Tx, changes: readonly { before: LoanRecord; loan: LoanRecord }[]): Promise<void> {
  if (changes.length === 0) return
  const saved = changes.map(({ loan: { row } }) => ({
    id: String(row.id),
    ...Object.fromEntries(CHANGING.map((name) => [name, asJson(row[name])])),
  }))
  await sql`
    update loan set
      due_on = saved.due_on, state = saved.state, principal = saved.principal, interest_charged = saved.interest_charged,
      interest_paid = saved.interest_paid, late_charged = saved.late_charged, late_paid = saved.late_paid,
      collateral = saved.collateral, interest_through = saved.interest_through, next_due_on = saved.next_due_on,
      watch_price = saved.watch_price, safety_price = saved.safety_price, watch_through = saved.watch_through,
      warned_at = saved.warned_at, reminded_for = saved.reminded_for, closed_at = saved.closed_at
    from jsonb_to_recordset(${JSON.stringify(saved)}::jsonb) as saved (
      id bigint, due_on date, state text, principal numeric, interest_charged numeric, interest_paid numeric,
      late_charged numeric, late_paid numeric, collateral numeric, interest_through date, next_due_on date,
      watch_price numeric, safety_price numeric, watch_through date, warned_at timestamptz, reminded_for date,
      closed_at timestamptz
    )
    where loan.id = saved.id`.execute(tx)
  await writeDues(
    tx,
    changes.filter(({ before, loan }) => loan.dues !== before.dues).map(({ loan }) => loan),
  )
}

/** Amounts as text: a number of JSON would lose digits. */
const asJson = (value: bigint | Date | string | null) => (typeof value === 'bigint' ? String(value) : value)

async function writeDues(tx: Tx, loans: readonly LoanRecord[]): Promise<void> {
  if (loans.length === 0) return
  await tx
    .insertInto('loan_due')
    .values(
      loans.flatMap(({ row, dues }) =>
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
      ),
    )
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
