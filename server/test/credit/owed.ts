import { worthOf } from '@candela/protocol/fund/fund'
import { assetCodes } from '@candela/protocol/money/assets'
import { type Database, transaction } from '@candela/server/db/open'
import { memberBalances } from '@candela/server/ledger/balances'
import { platformAccount } from '@candela/server/ledger/chart'
import { accountBalance } from '@candela/server/ledger/balances'
import { sharesAccount } from '@candela/server/modules/fund/holding'
import { readFund } from '@candela/server/modules/fund/read-fund'
import { listOpenDebts } from '@candela/server/modules/loan/orders/list-open-debts'
import { takenForDebt, type Valuation } from '@candela/protocol/proof/owed'
import { readOwed } from '@candela/server/modules/reconcile/read-owed'
import { expect } from 'vitest'

/** A share of the fund is rounded down for each member; what nobody owns of it is less than a millionth of a USDT. */
const FUND_DUST = 10n ** 12n

const noneUnderWay = () => ({ received: 0n, paid: 0n })

/** Expects that what is owed, which is computed from a few accounts, is what members have, counted one by one. */
export async function expectOwedToBeCounted(db: Database, prices: Valuation['prices'], now: Date): Promise<void> {
  const sources = { listOpenDebts, readFund, readPrices: () => Promise.resolve(prices) }
  const owed = await transaction(db, (tx) => readOwed(tx, sources, noneUnderWay, now))
  const counted = { JU: 0n, USDT: 0n, HASH: 0n }
  const fund = await readFund(db)
  const debts = new Map((await listOpenDebts(db)).map((one) => [one.memberId, one]))
  for (const { id } of await db.selectFrom('member').select('id').execute()) {
    const balances = await memberBalances(db, id)
    const worth = worthOf(await accountBalance(db, sharesAccount(id)), fund)
    const { debt, collateral } = debts.get(id) ?? { debt: 0n, collateral: { JU: 0n, HASH: 0n } }
    const usdt = balances.USDT.available + balances.USDT.held + worth
    const taken = takenForDebt({ usdt, collateral, debt }, prices)
    counted.USDT += usdt - taken.USDT
    for (const asset of ['JU', 'HASH'] as const)
      counted[asset] += balances[asset].available + balances[asset].held + collateral[asset] - taken[asset]
  }
  expect([owed.JU.members, owed.HASH.members]).toEqual([counted.JU, counted.HASH])
  expect(owed.USDT.members).toBeGreaterThanOrEqual(counted.USDT)
  expect(owed.USDT.members).toBeLessThan(counted.USDT + FUND_DUST)
  for (const asset of assetCodes)
    expect(owed[asset].unassigned).toBe(
      (await accountBalance(db, platformAccount('suspense', asset))) +
        (await accountBalance(db, platformAccount('revenuePool', asset))),
    )
}
