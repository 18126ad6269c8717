/** How payouts and attestations are offered to nodes. Prices are base units per unit of gas. */

export const GWEI = 10n ** 9n

/** A transfer of nothing to an account without code. */
export const TRANSFER_GAS = 21_000n

/** A transaction that is not final is offered again after this long: nodes forget. */
export const OFFER_AGAIN_MS = 30_000

/**
 * An eighth more than before, rounded up, or what the node names when that is more; null above the maximum that is allowed.
 * Nodes refuse to replace a transaction for less.
 */
export function bumped(old: bigint, wanted: bigint, maxPrice: bigint): bigint | null {
  const minPrice = (old * 9n + 7n) / 8n
  if (minPrice > maxPrice) return null
  const price = wanted > minPrice ? wanted : minPrice
  return price > maxPrice ? maxPrice : price
}
