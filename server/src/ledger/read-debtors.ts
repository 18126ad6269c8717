import type { Debtor, OpenDebt } from '@candela/protocol/proof/owed'
import type { Tx } from '../db/open.ts'
import { accountBalances } from './balances.ts'
import { type AccountId, memberAccount } from './chart.ts'

/** Reads what borrowers have beside their collateral, in the order of the debts. Base units. */
export async function readDebtors(tx: Tx, debts: readonly OpenDebt[]): Promise<Debtor[]> {
  const balances = await accountBalances(
    tx,
    debts.flatMap(({ memberId }) => accountsOf(memberId)),
  )
  return debts.map(({ debt, collateral }, nth) => {
    const [available = 0n, held = 0n, shares = 0n] = balances.slice(3 * nth, 3 * nth + 3)
    return { usdt: available + held, shares, collateral, debt }
  })
}

const accountsOf = (memberId: bigint): AccountId[] => [
  memberAccount(memberId, 'memberAvailable', 'USDT'),
  memberAccount(memberId, 'memberHeld', 'USDT'),
  memberAccount(memberId, 'memberShares', 'SHARE'),
]
