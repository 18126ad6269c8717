import type { Database } from '../../../../db/open.ts'
import type { LocalizedText } from '../../../../db/schema/json-columns.ts'
import type { LoanRow } from '../record/loan-record.ts'
import { readDues } from '../record/store.ts'
import type { FoundLoan } from './describe-loan.ts'

export type LoanQuery = {
  memberId: bigint
  loanNo?: string
  open?: boolean | undefined
  before?: bigint | undefined
  limit: number
}

/** Loans of a member, newest first. */
export async function findLoans(
  db: Database,
  { memberId, loanNo, open, before, limit }: LoanQuery,
): Promise<FoundLoan[]> {
  const rows = await db
    .selectFrom('loan_with_debt as l')
    .leftJoin('project as p', 'p.id', 'l.project_id')
    .selectAll('l')
    .select(['p.project_no', 'p.name as project_name'])
    .where('l.member_id', '=', memberId)
    .$if(loanNo !== undefined, (query) => query.where('l.loan_no', '=', loanNo ?? ''))
    .$if(open === true, (query) => query.where('l.closed_at', 'is', null))
    .$if(open === false, (query) => query.where('l.closed_at', 'is not', null))
    .$if(before !== undefined, (query) => query.where('l.id', '<', before ?? 0n))
    .orderBy('l.id', 'desc')
    .limit(limit)
    .execute()
  const dues = await readDues(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ project_no, project_name, ...row }) => ({
    row,
    dues: dues.get(row.id) ?? [],
    project: projectOf(row, project_no, project_name),
  }))
}

const projectOf = ({ project_id }: LoanRow, no: string | null, name: LocalizedText | null) =>
  project_id === null || no === null || name === null ? null : { no, name }
