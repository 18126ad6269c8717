import { PPM, WHOLE_UNIT } from '../../units.ts'
import { leverTermsOf } from '../lever/leverage.ts'
import { collateralValue, mortgageRate, priceAtLine } from '../lines.ts'
import { type LiquidationInput, planLiquidation } from '../liquidation.ts'
import { terms } from '../testing.ts'
import { amount, percent, table } from './table.ts'

/** Sales of collateral, and leverage. */

const debt = { principal: 4_950n * WHOLE_UNIT, interest: 50n * WHOLE_UNIT, charges: 0n }
const cents = (price: bigint): bigint => (price * WHOLE_UNIT) / 100n

function rateOf(owed: bigint, collateral: bigint, price: bigint): string {
  const rate = mortgageRate({ debt: owed, collateral }, price)
  return rate === null ? 'nothing secures it' : percent(rate)
}

function clearingPrice(owed: bigint, collateral: bigint): string {
  const price = priceAtLine({ debt: owed, collateral }, terms.clearing_ppm)
  return price === null || owed === 0n ? 'none' : amount(price)
}

function liquidation(input: Pick<LiquidationInput, 'watchPrice' | 'salePrice' | 'deskUsdt'>): string {
  const collateral = 6_250n * WHOLE_UNIT
  const owed = debt.principal + debt.interest
  const plan = planLiquidation({ reason: 'line', debt, collateral, terms, ...input })
  if (plan === null) throw new Error('the clearing line is reached in each example')
  const [left, kept] = [owed - plan.repaid, collateral - plan.sold]
  return table(
    ['figure', 'before', 'the sale', 'after'],
    [
      ['debt, USDT', amount(owed), `${amount(plan.repaid)} repaid`, amount(left)],
      ['collateral, JU', amount(collateral), `${amount(plan.sold)} sold`, amount(kept - plan.returned)],
      ['fee to the reserve, USDT', '', amount(plan.fee), ''],
      ['the desk pays, USDT', '', amount(plan.proceeds), ''],
      ['back to the borrower, JU', '', amount(plan.returned), ''],
      ['shortfall, USDT', '', amount(plan.shortfall), ''],
      ['to be repaid by it', '', plan.full ? 'all' : 'half', plan.incomplete ? 'goes on later' : 'done'],
      ['mortgage rate', rateOf(owed, collateral, input.watchPrice), '', rateOf(left, kept, input.watchPrice)],
      ['liquidation price', clearingPrice(owed, collateral), '', clearingPrice(left, kept)],
    ],
  )
}

const RICH = 1_000_000n * WHOLE_UNIT

/** The price is at the clearing line: half is sold. */
export const partial = (): string => liquidation({ watchPrice: cents(100n), salePrice: cents(99n), deskUsdt: RICH })

/** The same, and the desk has 1,020 USDT. */
export const shortDesk = (): string =>
  liquidation({ watchPrice: cents(100n), salePrice: cents(99n), deskUsdt: 1_020n * WHOLE_UNIT })

/** The rate has passed clearing line ÷ 0.95: all is sold. */
export const full = (): string => liquidation({ watchPrice: cents(94n), salePrice: cents(93n), deskUsdt: RICH })

/** The price has fallen so far that the collateral does not pay the debt. */
export const deficit = (): string => liquidation({ watchPrice: cents(70n), salePrice: cents(68n), deskUsdt: RICH })

/** 100 USDT of margin at different ratios, for 30 days at 18 %, lines of 80 and 90 %, fee 0.3 %. */
export function leverage(): string {
  const columns = [20, 30, 40].map((ratio_tenths) =>
    leverTermsOf({
      margin: 100n * WHOLE_UNIT,
      ratio_tenths,
      buyPrice: cents(50n),
      fee_ppm: 3_000n,
      debtPrice: cents(50n),
      rate_ppm: 180_000n,
      days: 30,
      lines: { safety_ppm: 800_000n, clearing_ppm: 900_000n },
    }),
  )
  const row = (name: string, of: (one: (typeof columns)[number]) => string) => [name, ...columns.map(of)]
  return table(
    ['figure', '2 times', '3 times', '4 times'],
    [
      row('loan, USDT', ({ loan }) => amount(loan)),
      row('spent, USDT', ({ total }) => amount(total)),
      row('bought and locked, JU', ({ bought }) => amount(bought)),
      row('fee of the exchange, JU', ({ fee }) => amount(fee)),
      row('worth at the price, USDT', ({ bought }) => amount(collateralValue(bought, cents(50n)))),
      row('interest a day, USDT', ({ interestPerDay }) => amount(interestPerDay)),
      row('total repayment, USDT', ({ repayment }) => amount(repayment)),
      row('mortgage rate', ({ rate }) => percent(rate ?? PPM)),
      row('status', ({ status }) => status),
      row('liquidation price, USDT', ({ liquidationPrice }) => amount(liquidationPrice)),
      row('the price may fall by', ({ fall }) => percent(fall)),
      row('risk', ({ risk }) => risk),
    ],
  )
}
