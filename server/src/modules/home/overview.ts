import { creditLimit, totalAssets } from '@candela/protocol/lending/assets'
import type { Data } from '@candela/protocol/endpoints'
import type { AssetCode } from '@candela/protocol/money/assets'
import { fromBaseUnits } from '@candela/protocol/money/money'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { type Price, readPrices } from '../../chain/price/price.ts'
import { lendingPrice } from '../../chain/price/use-price.ts'
import type { Database } from '../../db/open.ts'
import { memberBalances } from '../../ledger/balances.ts'
import { readLevel } from '../member/read-level.ts'
import { readOffers } from '../lending/project/lend.ts'
import { readCeilingsLeft } from '../lending/project/ceiling.ts'
import { summarizeLoans } from '../lending/loan/orders/summarize-loans.ts'
import { readFund, readFundIdle } from '../fund/read-fund.ts'
import { readHolding } from '../fund/holding.ts'

type Overview = Data<'GET home/overview'>
export type Caller = { memberId: bigint; now: Date }

const nothing = { fund: 0n, collateral: { JU: 0n, HASH: 0n }, debt: 0n }

/** All figures of a member's home screen. */
export async function getOverview(db: Database, caller: Caller): Promise<Overview> {
  const { memberId, now } = caller
  const prices = await readPrices(db, now)
  const [level, accounts, fund, loans, offers, fundIdle, ceilingsLeft] = await Promise.all([
    readLevel(db, memberId),
    memberBalances(db, memberId),
    readFundWorth(db, caller),
    summarizeLoans(db, prices, caller),
    readOffers(db),
    readFundIdle(db),
    readCeilingsLeft(db, prices, caller),
  ])
  const balances = ofEach((asset) => accounts[asset].available + accounts[asset].held)
  // Only shows what something is worth, so a paused average may be used.
  const averages = { JU: prices.JU.average, USDT: WHOLE_UNIT, HASH: prices.HASH.average }
  const { debt, collateral } = loans
  return {
    level,
    totalAssets: textOf(totalAssets({ balances, fund, collateral, debt }, averages)),
    accountBalance: textOf(totalAssets({ ...nothing, balances }, averages)),
    creditLimit: fromBaseUnits(
      creditLimit(
        { JU: accounts.JU.available, HASH: accounts.HASH.available },
        { JU: debtPrice(prices.JU), HASH: debtPrice(prices.HASH) },
        offers,
        fundIdle,
        ceilingsLeft,
      ),
    ),
    loanAmount: fromBaseUnits(debt),
    financialAmount: fromBaseUnits(fund),
    balances: ofEach((asset) => fromBaseUnits(balances[asset])),
    collateral: { JU: fromBaseUnits(collateral.JU), HASH: fromBaseUnits(collateral.HASH) },
    prices: { JU: textOf(averages.JU), USDT: fromBaseUnits(averages.USDT), HASH: textOf(averages.HASH) },
    mortgage: loans.mortgage,
    openLoans: loans.open,
    nextRepayment: loans.nextRepayment,
  }
}

/** Reads the worth of the member's shares of the money fund. */
const readFundWorth = async (db: Database, { memberId, now }: Caller): Promise<bigint> =>
  (await readHolding(db, memberId, await readFund(db), now)).worth

const ofEach = <T>(read: (asset: AssetCode) => T) => ({ JU: read('JU'), USDT: read('USDT'), HASH: read('HASH') })

const textOf = (amount: bigint | null): string | null => (amount === null ? null : fromBaseUnits(amount))

/** Null while nothing can be borrowed on the asset. */
const debtPrice = (price: Price): bigint | null => (price.paused ? null : lendingPrice(price))
