import type { Tx } from '../../../../db/open.ts'
import type { Settings } from '../../../../db/settings.ts'
import type { Price } from '../../../../chain/price/price.ts'
import { ceilingOf, takeBelowCeiling } from '../../project/ceiling.ts'
import { openLoan, type NewLoan, requireFewLoans } from '../borrow/open-loan.ts'
import { openPosting } from './lever-loan.ts'

type NewLever = Extract<NewLoan, { kind: 'lever' }>

/**
 * Opens a leveraged loan that buys its collateral. Prices and lines were looked at before.
 * @throws AppError 4201, 4203 open loans, 4206, 4301 ceiling, 4302
 */
export async function openLever(
  tx: Tx,
  loan: Omit<NewLever, 'kind' | 'project_id' | 'collateral'> & { fee: bigint },
  price: Pick<Price, 'depth'>,
  settings: Settings,
  now: Date,
): Promise<void> {
  const { fee, ...rest } = loan
  const { member_id: memberId, collateral_asset: asset, lent: amount } = loan
  await requireFewLoans(tx, memberId, settings)
  await takeBelowCeiling(tx, { asset, memberId, amount }, ceilingOf(price, settings, now))
  const opened = { ...rest, kind: 'lever' as const, project_id: null, collateral: loan.bought }
  await openLoan(tx, opened, settings, now, (row) => [
    openPosting(row, { margin: loan.margin, loan: loan.lent, bought: loan.bought, fee }, now),
  ])
}
