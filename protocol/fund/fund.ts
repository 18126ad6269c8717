import { mulDiv, mulDivUp } from '../money/money.ts'
import { PPM, WHOLE_UNIT } from '../units.ts'

/**
 * The money fund's shares. A share is worth assets ÷ shares. A billion virtual base units are added to both (ERC-4626 as
 * OpenZeppelin implements it against inflation attacks): the first share costs 1 USDT, an empty fund has a price, and what
 * somebody gives to the fund to inflate the price is lost to that somebody. Amounts and shares are base units with 18
 * decimals. Every rounding favours the fund, by less than the worth of one base unit of shares.
 */

/** Assets of the fund, idle and lent, with interest that is counted already; and how many shares there are. */
export type FundState = { assets: bigint; shares: bigint }

/**
 * A base unit of shares is worth at most 1 + assets ÷ VIRTUAL base units, however few shares there are. What nobody owns of
 * the fund is VIRTUAL × (price − 1 USDT): less than a millionth of a USDT up to a price of 1,000 USDT.
 */
const VIRTUAL = 10n ** 9n

/** Shares that somebody gets for money paid in. */
export type Subscription = {
  shares: bigint
  /** The part of the amount that pays for interest of the running day; it joins the interest that the close will count. */
  equalisation: bigint
}

/**
 * The shares for an amount that is paid in: floor(amount × shares ÷ (assets + pending)). A member who comes in pays for the
 * interest that is charged and not counted yet, so that nobody earns the interest of a day by coming in for its last minute
 * (as income equalisation of investment funds does). The close gives the equalisation back to those who paid it. In a fund
 * without shares there is nobody whose interest it is, and nothing is paid for it.
 * @param pending interest that is charged and not counted in the price yet
 */
export function subscriptionOf(amount: bigint, { assets, shares }: FundState, pending: bigint): Subscription {
  const counted = shares === 0n ? assets : assets + pending
  const bought = mulDiv(amount, shares + VIRTUAL, counted + VIRTUAL)
  return { shares: bought, equalisation: amount - costOf(bought, { assets, shares }) }
}

/** The amount that joins the fund's assets for new shares: ceil(shares × assets ÷ all shares). The share price does not fall by it. */
export const costOf = (shares: bigint, state: FundState): bigint =>
  mulDivUp(shares, state.assets + VIRTUAL, state.shares + VIRTUAL)

/**
 * The shares that are taken for an amount paid out: ceil(amount × shares ÷ assets).
 * @throws RangeError when the fund has shares and no assets
 */
export function sharesToRedeem(amount: bigint, state: FundState): bigint {
  const redemption = redemptionState(state)
  return mulDivUp(amount, redemption.shares, redemption.assets)
}

/** Worth of shares: floor(shares × assets ÷ all shares). */
export function worthOf(shares: bigint, state: FundState): bigint {
  const redemption = redemptionState(state)
  return mulDiv(shares, redemption.assets, redemption.shares)
}

/**
 * After a deficit, when a share is worth less than 1 USDT, the virtual amounts would promise a little more than what the fund
 * has; they are left out then.
 */
const redemptionState = ({ assets, shares }: FundState): FundState =>
  assets < shares ? { assets, shares } : { assets: assets + VIRTUAL, shares: shares + VIRTUAL }

/** USDT base units that a whole share is worth, rounded down; for display. */
export const sharePrice = (state: FundState): bigint => worthOf(WHOLE_UNIT, state)

/** True when the price of `later` is below that of `earlier`; nothing is rounded. */
export const priceFell = (earlier: FundState, later: FundState): boolean =>
  (later.assets + VIRTUAL) * (earlier.shares + VIRTUAL) < (earlier.assets + VIRTUAL) * (later.shares + VIRTUAL)

/**
 * The rate that the change of the share price over some days stands for, in millionths, rounded towards zero. A gain is annualised:
 * simple, on 365 days. A loss is the change itself: a deficit happens once, and is no rate a year.
 * @throws RangeError for a price of 0 to begin with, or no days
 */
export function fundRate(earlierPrice: bigint, laterPrice: bigint, days: number): bigint {
  if (earlierPrice <= 0n || days < 1) throw new RangeError('a rate needs a price to begin with and a number of days')
  const change = laterPrice - earlierPrice
  if (change < 0n) return -mulDiv(-change, PPM, earlierPrice)
  return mulDiv(change, 365n * PPM, earlierPrice * BigInt(days))
}
