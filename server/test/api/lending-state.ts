import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { randomUUID } from 'node:crypto'
import { type Database, transaction } from '@candela/server/db/open'
import { readSettings } from '@candela/server/db/settings'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { isCharged } from '@candela/server/modules/lending/loan/daily/is-charged'
import { transferIn } from '@candela/server/modules/fund/transfer-in'
import { openLoan } from '@candela/server/modules/lending/loan/borrow/open-loan'
import { loanPosting, pledgePosting } from '@candela/server/modules/lending/loan/record/postings'
import { WHOLE } from '@candela/server/modules/power/testing'
import { lockProject } from '@candela/server/modules/lending/project/lend'
import { createProject } from '@candela/server/modules/lending/project/manage-projects'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'

/** Numbers that calls of lending can name, so that they come further than to "unknown". */
export const PROJECT_NO = '20260301PROJECT'
export const LOAN_NO = '20260301LOAN'

/** A project, and a member who has money in the fund and a loan of it, open for a year. */
export async function addLendingState(db: Database, memberId: bigint): Promise<void> {
  const now = new Date()
  const address = `0x${'a1'.repeat(20)}`
  // As of a payment on chain: the statement shows what it names.
  const memo = { ...testMemo(), payer: address, customer: address, txHash: `0x${'ab'.repeat(32)}` }
  for (const asset of ['JU', 'USDT'] as const) {
    const credit = memberAccount(memberId, 'memberAvailable', asset)
    const legs = [{ debit: platformAccount('custody', asset), credit, amount: 10_000n * WHOLE }]
    const posting = { id: randomUUID(), kind: 'deposit' as const, memo, occurredAt: now, legs }
    await transaction(db, (tx) => post(tx, posting))
  }
  await transferIn(
    { db, isCharged },
    { amount: 5_000n * WHOLE, requestId: requestIdNamed('fund', now) },
    { memberId, now },
  )
  const name = { zh: '借款', tw: '借款', en: 'Loan' }
  const lines = { rate: 100_000, initialRate: 500_000, safetyLine: 700_000, clearingLine: 800_000 }
  const project = { name, information: name, collateral: 'JU' as const, total: 1_000_000n * WHOLE, ...lines }
  await transaction(db, async (tx) => {
    await createProject(tx, PROJECT_NO, project, now)
    const { id } = await lockProject(tx, PROJECT_NO)
    const [lent, collateral] = [1_000n * WHOLE, 5_000n * WHOLE]
    const loan = {
      kind: 'project' as const,
      loan_no: LOAN_NO,
      member_id: memberId,
      project_id: id,
      collateral_asset: 'JU' as const,
      rate_ppm: lines.rate,
      initial_ppm: lines.initialRate,
      safety_ppm: lines.safetyLine,
      clearing_ppm: lines.clearingLine,
      collateral,
      lent,
      days: 360,
    }
    await openLoan(tx, loan, await readSettings(tx), now, (row) => [
      pledgePosting(row, collateral, 'fuzz', now),
      loanPosting(row, lent, now),
    ])
  })
}
