import { type Database, transaction, type Tx } from '../../db/open.ts'
import { accountBalances } from '../../ledger/balances.ts'
import { loanAccount, platformAccount } from '../../ledger/chart.ts'
import { debtOf, type LoanRow } from './record/loan-record.ts'
import { sharesOfDebt } from './record/postings.ts'
import { paidOf } from './record/steps.ts'

/** What does not agree with the ledger. Amounts are base units. */
export type LoanFinding = { subject: string; recorded: bigint; ledger: bigint }

const CHUNK = 1_000

/**
 * Compares the rows of all loans with the ledger: each loan's accounts, and what the fund and the reserve are owed in all.
 * Reads one instant. Empty is good.
 */
export async function auditLoans(db: Database): Promise<LoanFinding[]> {
  return transaction(db, compareAll, { isolation: 'repeatable read' })
}

async function compareAll(tx: Tx): Promise<LoanFinding[]> {
  const findings: LoanFinding[] = []
  const owed = { fund: 0n, reserve: 0n }
  for (let after = 0n; ;) {
    const rows = await tx.selectFrom('loan').selectAll().where('id', '>', after).orderBy('id').limit(CHUNK).execute()
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
    findings.push(...(await compareLoans(tx, rows)))
    for (const row of rows) {
      const { fundPart, reservePart } = sharesOfDebt(row, debtOf(row), paidOf(row))
      owed.fund += fundPart
      owed.reserve += reservePart
    }
  }
  const [claims = 0n, pending = 0n, reserveClaims = 0n, deficit = 0n] = await accountBalances(tx, [
    platformAccount('fundClaims', 'USDT'),
    platformAccount('fundPending', 'USDT'),
    platformAccount('reserveClaims', 'USDT'),
    platformAccount('deficit', 'USDT'),
  ])
  const totals = [
    { subject: 'owed to the fund', recorded: owed.fund, ledger: claims + pending },
    { subject: 'owed to the reserve', recorded: owed.reserve, ledger: reserveClaims },
    { subject: 'deficits that nobody has taken', recorded: 0n, ledger: deficit },
  ]
  return [...findings, ...totals.filter(({ recorded, ledger }) => recorded !== ledger)]
}

async function compareLoans(tx: Tx, rows: readonly LoanRow[]): Promise<LoanFinding[]> {
  const lines = rows.flatMap((row) => {
    const { principal, interest, charges } = debtOf(row)
    const of = (part: string) => `${part} of loan ${row.loan_no}`
    return [
      {
        subject: of('principal'),
        account: loanAccount(row.id, 'loanPrincipal', 'USDT'),
        recorded: principal,
        sign: -1n,
      },
      { subject: of('interest'), account: loanAccount(row.id, 'loanInterest', 'USDT'), recorded: interest, sign: -1n },
      { subject: of('charges'), account: loanAccount(row.id, 'loanCharges', 'USDT'), recorded: charges, sign: -1n },
      {
        subject: of('collateral'),
        account: loanAccount(row.id, 'loanCollateral', row.collateral_asset),
        recorded: row.collateral,
        sign: 1n,
      },
    ]
  })
  const balances = await accountBalances(
    tx,
    lines.map(({ account }) => account),
  )
  return lines.flatMap(({ subject, recorded, sign }, place) => {
    const ledger = sign * (balances[place] ?? 0n)
    return ledger === recorded ? [] : [{ subject, recorded, ledger }]
  })
}
