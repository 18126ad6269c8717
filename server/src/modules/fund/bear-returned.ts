import type { Tx } from '../../db/open.ts'
import { uuidFromName } from '../../kernel/ids.ts'
import { drawPlace } from '../../ledger/balances.ts'
import { platformAccount } from '../../ledger/chart.ts'
import type { Posting } from '../../ledger/post.ts'
import { lockFund } from './read-fund.ts'

/** Interest of a loan that goes back and that the reserve does not have any more. `cause` is the posting id of the payment. */
export type Returned = { loanNo: string; cause: string; amount: bigint }

/**
 * Lets the fund bear interest that goes back to a borrower and that the reserve has paid out for deficits. Records the fall
 * of the share price of each, and returns what is to be posted after the account `deficit` has paid it.
 */
export async function bearReturned(tx: Tx, returned: readonly Returned[], now: Date): Promise<Posting[]> {
  const fund = await lockFund(tx)
  const postings: Posting[] = []
  let { assets } = fund
  for (const { loanNo, cause, amount } of returned) {
    await tx
      .insertInto('fund_price')
      .values({
        reason: 'deficit',
        day: null,
        loan_no: loanNo,
        at: now,
        assets_before: assets,
        assets_after: assets - amount,
        shares: fund.shares,
        place: await drawPlace(tx),
        reserve: fund.reserve,
      })
      .execute()
    assets -= amount
    postings.push({
      id: uuidFromName(`loan:${loanNo}:returned:${cause}`, now),
      kind: 'deficit-fund',
      legs: [{ debit: platformAccount('fundIdle', 'USDT'), credit: platformAccount('deficit', 'USDT'), amount }],
      memo: { loanNo },
      occurredAt: now,
    })
  }
  return postings
}
