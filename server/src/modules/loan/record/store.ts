import type { Due } from '@candela/protocol/credit/loan'
import { codes } from '@candela/protocol/codes/codes'
import type { Insertable } from 'kysely'
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
  await writeDues(tx, row.id, dues)
  return { row, dues }
}

/** Writes what changed. The row is locked. */
export async function saveLoan(tx: Tx, before: LoanRecord, { row, dues }: LoanRecord): Promise<void> {
  await tx
    .updateTable('loan')
    .set({
      due_on: row.due_on,
      state: row.state,
      principal: row.principal,
      interest_charged: row.interest_charged,
      interest_paid: row.interest_paid,
      late_charged: row.late_charged,
      late_paid: row.late_paid,
      collateral: row.collateral,
      interest_through: row.interest_through,
      next_due_on: row.next_due_on,
      watch_price: row.watch_price,
      safety_price: row.safety_price,
      watch_through: row.watch_through,
      warned_at: row.warned_at,
      reminded_for: row.reminded_for,
      closed_at: row.closed_at,
    })
    .where('id', '=', row.id)
    .execute()
  if (dues !== before.dues) await writeDues(tx, row.id, dues)
}

async function writeDues(tx: Tx, loanId: bigint, dues: readonly Due[]): Promise<void> {
  await tx
    .insertInto('loan_due')
    .values(
      dues.map((due) => ({
        loan_id: loanId,
        number: due.number,
        due_on: due.dueOn,
        amount: due.amount,
        paid: due.paid,
        fee: due.fee,
        fee_paid: due.feePaid,
        late_through: due.lateThrough,
      })),
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
