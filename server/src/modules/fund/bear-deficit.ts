import type { Tx } from '../../db/open.ts'
import { drawPlace } from '../../ledger/balances.ts'
import { post } from '../../ledger/post.ts'
import { type Deficit, deficitPostings, shareDeficit } from './postings.ts'
import { lockFund } from './read-fund.ts'

/**
 * Lets the reserve and then the fund take a debt that nothing is left to pay for, and records the fall of the share price.
 * The loan's own posting has moved the debt to the account `deficit` before, in the same transaction.
 */
export async function bearDeficit(
  tx: Tx,
  debt: Pick<Deficit, 'loanNo' | 'fundPart' | 'reservePart'>,
  now: Date,
): Promise<{ reservePaid: bigint; fundLost: bigint }> {
  const fund = await lockFund(tx)
  const deficit = { ...debt, reserve: fund.reserve, assets: fund.assets }
  const { reservePaid, fundLost, fromAssets } = shareDeficit(deficit)
  const place = await drawPlace(tx)
  for (const posting of deficitPostings(deficit, now)) await post(tx, posting)
  if (fromAssets > 0n) {
    await tx
      .insertInto('fund_price')
      .values({
        reason: 'deficit',
        day: null,
        loan_no: debt.loanNo,
        at: now,
        assets_before: fund.assets,
        assets_after: fund.assets - fromAssets,
        shares: fund.shares,
        place,
        reserve: fund.reserve,
      })
      .execute()
  }
  return { reservePaid, fundLost }
}
