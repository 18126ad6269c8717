import { worthOf } from '@candela/protocol/fund/fund'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { type OpenDebt, takenForDebt, type Valuation } from '@candela/protocol/proof/owed'
import type { Tx } from '../../db/open.ts'
import { must } from '../../kernel/assert.ts'
import { accountBalances } from '../../ledger/balances.ts'
import { type AccountId, memberAccount, platformAccount, platformAccountNames } from '../../ledger/chart.ts'
import { ofEachAsset } from './owed.ts'

/** Base units. */
export type Owed = {
  /** What members have, less their debts. */
  members: bigint
  /** What belongs to somebody and is on no balance yet: payments that are confirming, suspense, output that is not shared. */
  unassigned: bigint
}

/** Payments of followed blocks that no posting contains yet, base units. */
export type UnderWay = { received: bigint; paid: bigint }

/** What is read of other areas, each in the transaction that it gets. Amounts are base units. */
export type OwedSources = {
  listOpenDebts: (tx: Tx) => Promise<OpenDebt[]>
  readFund: (tx: Tx) => Promise<{ assets: bigint; shares: bigint }>
  readPrices: (tx: Tx, now: Date) => Promise<Valuation['prices']>
}

/**
 * What is owed at one instant, without reading every member: all accounts of an asset sum to zero, so members have what the
 * platform's own accounts and the debts leave.
 */
export async function readOwed(
  tx: Tx,
  sources: OwedSources,
  underWay: (asset: AssetCode) => UnderWay,
  now: Date,
): Promise<Record<AssetCode, Owed>> {
  const debts = await sources.listOpenDebts(tx)
  const [fund, prices, platform, borrowers] = await Promise.all([
    sources.readFund(tx),
    sources.readPrices(tx, now),
    readBalances(
      tx,
      assetCodes.flatMap((asset) => platformAccountNames.map((name) => platformAccount(name, asset))),
    ),
    readBalances(
      tx,
      debts.flatMap(({ memberId }) => borrowerAccounts(memberId)),
    ),
  ])
  const taken = { JU: 0n, USDT: 0n, HASH: 0n }
  let debtOfAll = 0n
  for (const { memberId, debt, collateral } of debts) {
    const [available = 0n, held = 0n, shares = 0n] = borrowerAccounts(memberId).map(borrowers)
    const less = takenForDebt({ usdt: available + held + worthOf(shares, fund), collateral, debt }, prices)
    for (const asset of assetCodes) taken[asset] += less[asset]
    debtOfAll += debt
  }
  return ofEachAsset((asset) => {
    const own = (name: (typeof platformAccountNames)[number]) => platform(platformAccount(name, asset))
    const platformSum = platformAccountNames.reduce((sum, name) => sum + own(name), 0n)
    const { received, paid } = underWay(asset)
    const credit = asset === 'USDT' ? debtOfAll + fund.assets : 0n
    return {
      members: credit - platformSum - taken[asset] - paid,
      unassigned: own('suspense') + own('revenuePool') + received,
    }
  })
}

async function readBalances(tx: Tx, accounts: readonly AccountId[]): Promise<(account: AccountId) => bigint> {
  const balances = await accountBalances(tx, accounts)
  const byAccount = new Map(accounts.map((account, nth) => [account, must(balances[nth], 'one balance an account')]))
  return (account) => must(byAccount.get(account), 'only these were read')
}

const borrowerAccounts = (memberId: bigint): AccountId[] => [
  memberAccount(memberId, 'memberAvailable', 'USDT'),
  memberAccount(memberId, 'memberHeld', 'USDT'),
  memberAccount(memberId, 'memberShares', 'SHARE'),
]
