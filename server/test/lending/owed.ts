import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import { type Database, transaction } from '@candela/server/db/open'
import { memberBalances } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { accountBalance } from '@candela/server/ledger/balances'
import { sharesAccount } from '@candela/server/modules/fund/holding'
import { readFund } from '@candela/server/modules/fund/read-fund'
import { listOpenDebts } from '@candela/server/modules/lending/loan/orders/list-open-debts'
import { readAverages } from '@candela/server/chain/price/price'
import { owedTo, poolInKind } from '@candela/protocol/proof/owed'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import { must } from '@candela/server/kernel/assert'
import { readDebtors } from '@candela/server/ledger/read-debtors'
import { readOwed } from '@candela/server/modules/reconcile/read-owed'
import { expect } from 'vitest'

/** A part of the fund is rounded down for each member, by less than a base unit. */
const FUND_DUST = 1_000n

const noneUnderWay = () => ({ received: 0n, paid: 0n })

/** Expects that what is owed, which is computed from a few accounts, is what members have, counted one by one. */
export async function expectOwedToBeCounted(db: Database, now: Date): Promise<void> {
  const prices = await readAverages(db, now)
  const owed = await transaction(db, (tx) => readOwed(tx, noneUnderWay, now))
  const counted = { JU: 0n, USDT: 0n, HASH: 0n }
  const fund = await readFund(db)
  const debts = await listOpenDebts(db)
  const pool = poolInKind(await transaction(db, (tx) => readDebtors(tx, debts)), fund, prices)
  for (const { id } of await db.selectFrom('member').select('id').execute()) {
    const balances = await memberBalances(db, id)
    const has = (asset: AssetCode) => balances[asset].available + balances[asset].held
    const { debt, collateral } = debts.find(({ memberId }) => memberId === id) ?? {
      debt: 0n,
      collateral: { JU: 0n, HASH: 0n },
    }
    const position = {
      balances: { JU: has('JU'), USDT: has('USDT'), HASH: has('HASH') },
      shares: await accountBalance(db, sharesAccount(id)),
      collateral,
      debt,
      paidLater: { JU: 0n, USDT: 0n, HASH: 0n },
    }
    for (const [nth, amount] of owedTo(position, { fund, pool, prices }).entries())
      counted[must(proofAssets[nth], 'three assets')] += amount
  }
  for (const asset of assetCodes) {
    expect(owed[asset].members).toBeGreaterThanOrEqual(counted[asset])
    expect(owed[asset].members).toBeLessThan(counted[asset] + FUND_DUST)
  }
  for (const asset of assetCodes)
    expect(owed[asset].unassigned).toBe(
      (await accountBalance(db, platformAccount('suspense', asset))) +
        (await accountBalance(db, platformAccount('revenuePool', asset))),
    )
}
