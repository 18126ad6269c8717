import type { AssetCode } from '@candela/protocol/money/assets'

/** Worth of an amount (base units) in USDT base units; null while the price is unknown or cannot be relied on. */
export type ValueInUsdt = (asset: AssetCode, amount: bigint) => bigint | null

/** How many blocks must stand on a payment, its own counting as the first. */
export type ConfirmationRule = {
  normal: number
  large: number
  /** Payments worth more than this many USDT base units need `large`. */
  largeAbove: bigint
  /** How many blocks below the last followed one a state may be asked for; 100 when absent. */
  statesKept?: number
}

/** A payment whose worth is not known counts as large. */
export function confirmationsNeeded(rule: ConfirmationRule, worth_usdt: bigint | null): number {
  return worth_usdt === null || worth_usdt > rule.largeAbove ? rule.large : rule.normal
}
