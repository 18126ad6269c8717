import { priceIn, type Reserves, reservesAt } from './pairs.ts'

/**
 * A pair of an asset with USDT as Uniswap V2 computes it, to the unit: x × y stays, and 0.3 % of what comes in stays in the pair.
 * Amounts are base units, prices USDT base units for a whole unit.
 */

const WHOLE = 10n ** 18n
const [KEPT, OF] = [997n, 1_000n]

/** The amounts that somebody gave and got; one of each pair is zero. */
export type Swap = { usdt: bigint; asset: bigint }
const nothing: Swap = { usdt: 0n, asset: 0n }

export class Market {
  asset: bigint
  usdt: bigint
  /** The shares of all providers, with those that the pair keeps for ever. */
  shares: bigint

  constructor(asset: bigint, price: bigint) {
    const held = reservesAt(price, asset)
    this.asset = held.asset
    this.usdt = held.usdt
    this.shares = squareRoot(held.asset * held.usdt)
  }

  get price(): bigint {
    return priceIn(this)
  }

  get reserves(): Reserves {
    return { asset: this.asset, usdt: this.usdt }
  }

  /** Buys for this much USDT. @returns what the buyer's purse changes by */
  buy(usdtIn: bigint): Swap {
    if (usdtIn <= 0n) return nothing
    const out = swapped(usdtIn, this.usdt, this.asset)
    this.usdt += usdtIn
    this.asset -= out
    return { usdt: -usdtIn, asset: out }
  }

  /** Sells this much. @returns what the seller's purse changes by */
  sell(assetIn: bigint): Swap {
    if (assetIn <= 0n) return nothing
    const out = swapped(assetIn, this.asset, this.usdt)
    this.asset += assetIn
    this.usdt -= out
    return { usdt: out, asset: -assetIn }
  }

  /** Buys or sells until the price is about this, at most for what the purse has. */
  moveTo(price: bigint, purse: Swap): Swap {
    const product = this.asset * this.usdt
    if (price > this.price) return this.buy(more(squareRoot((product * price) / WHOLE), this.usdt, purse.usdt))
    return this.sell(more(squareRoot((product * WHOLE) / price), this.asset, purse.asset))
  }

  /** Others trade until nothing is to be gained: the price is then within the fee of what the asset is worth elsewhere. */
  arbitrage(fair: bigint): void {
    const [least, most] = [(fair * KEPT) / OF, (fair * OF) / KEPT]
    const unbounded = { usdt: this.usdt * OF, asset: this.asset * OF }
    if (this.price > most) this.moveTo(most, unbounded)
    if (this.price < least) this.moveTo(least, unbounded)
  }

  /** The part of the pair that shares are. */
  partOf(shares: bigint): Swap {
    return { usdt: (shares * this.usdt) / this.shares, asset: (shares * this.asset) / this.shares }
  }

  /** A provider gives shares back. @returns what it takes out */
  withdraw(shares: bigint): Swap {
    const taken = this.partOf(shares)
    this.usdt -= taken.usdt
    this.asset -= taken.asset
    this.shares -= shares
    return taken
  }

  /** @returns the provider's new shares */
  provide({ usdt, asset }: Swap): bigint {
    const made = lower((usdt * this.shares) / this.usdt, (asset * this.shares) / this.asset)
    this.usdt += usdt
    this.asset += asset
    this.shares += made
    return made
  }
}

const swapped = (amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint =>
  (amountIn * KEPT * reserveOut) / (reserveIn * OF + amountIn * KEPT)

export const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** The amount that has to come in until so much is held, at most as much as there is. */
const more = (wanted: bigint, held: bigint, most: bigint): bigint => lower(((wanted - held) * OF) / KEPT, most)

/** Rounded down. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (let next = (root + value / root) / 2n; next < root; next = (root + value / root) / 2n) root = next
  return root
}
