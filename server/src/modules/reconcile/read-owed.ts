import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { poolInKind, takenForDebt } from '@candela/protocol/proof/owed'
import type { Tx } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { accountBalances } from '../../ledger/balances.ts'
import { type AccountId, platformAccount, platformAccountNames } from '../../ledger/chart.ts'
import { readDebtors } from '../../ledger/read-debtors.ts'
import { readAverages } from '../../chain/price/price.ts'
import { listOpenDebts } from '../lending/loan/orders/list-open-debts.ts'
import { readFund } from '../fund/read-fund.ts'
import { ofEachAsset } from './owed.ts'

/** Base units. */
export type Owed = {
  /** The money of members, with the fund in kind, less what their debts take. */
  members: bigint
  /** Money that belongs to somebody and is on no balance yet: payments that are confirming, suspense, output that is not shared. */
  unassigned: bigint
}

/** Payments of followed blocks that no posting contains yet, base units. */
export type UnderWay = { received: bigint; paid: bigint }

/**
 * Computes what is owed at one instant, without reading every member: all accounts of an asset sum to zero, so members have what the
 * platform's own accounts and the debts leave.
 */
export async function readOwed(
  tx: Tx,
  underWay: (asset: AssetCode) => UnderWay,
  now: Date,
): Promise<Record<AssetCode, Owed>> {
  const debts = await listOpenDebts(tx)
  const [fund, prices, platform, debtors] = await Promise.all([
    readFund(tx),
    readAverages(tx, now),
    readBalances(
      tx,
      assetCodes.flatMap((asset) => platformAccountNames.map((name) => platformAccount(name, asset))),
    ),
    readDebtors(tx, debts),
  ])
  const taken = { JU: 0n, USDT: 0n, HASH: 0n }
  let debtOfAll = 0n
  for (const debtor of debtors) {
    const less = takenForDebt(debtor, { fund, prices })
    for (const asset of assetCodes) taken[asset] += less[asset]
    debtOfAll += debtor.debt
  }
  const pool = poolInKind(debtors, fund, prices)
  return ofEachAsset((asset) => {
    const own = (name: (typeof platformAccountNames)[number]) => platform(platformAccount(name, asset))
    const platformSum = platformAccountNames.reduce((sum, name) => sum + own(name), 0n)
    const { received, paid } = underWay(asset)
    const debt = asset === 'USDT' ? debtOfAll : 0n
    return {
      members: debt - platformSum + pool.amounts[asset] - taken[asset] - paid,
      unassigned: own('suspense') + own('revenuePool') + received,
    }
  })
}

async function readBalances(tx: Tx, accounts: readonly AccountId[]): Promise<(account: AccountId) => bigint> {
  const balances = await accountBalances(tx, accounts)
  const byAccount = new Map(accounts.map((account, nth) => [account, must(balances[nth], 'one balance an account')]))
  return (account) => must(byAccount.get(account), 'only these were read')
}
