import { anyOf } from '../../../../db/any-of.ts'
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
  const writtenOff = await readWrittenOff(
    db,
    rows.flatMap(({ id, state }) => (state === 'written-off' ? [id] : [])),
  )
  return rows.map(({ project_no, project_name, ...row }) => ({
    row,
    dues: dues.get(row.id) ?? [],
    project: projectOf(row, project_no, project_name),
    writtenOff: writtenOff.get(row.id) ?? 0n,
  }))
}

/** The principal that each of these loans has lost with its last sale, which pays charges, then interest, then principal. */
async function readWrittenOff(db: Database, ids: readonly bigint[]): Promise<Map<bigint, bigint>> {
  if (ids.length === 0) return new Map()
  const sales = await db
    .selectFrom('loan_liquidation')
    .select(['loan_id', 'principal', 'interest', 'charges', 'repaid'])
    .where('loan_id', '=', anyOf(ids))
    .where('shortfall', '>', 0n)
    .execute()
  return new Map(
    sales.map(({ loan_id, principal, interest, charges, repaid }) => {
      const ofPrincipal = repaid - charges - interest
      return [loan_id, ofPrincipal > 0n ? principal - ofPrincipal : principal]
    }),
  )
}

const projectOf = ({ project_id }: LoanRow, no: string | null, name: LocalizedText | null) =>
  project_id === null || no === null || name === null ? null : { no, name }
