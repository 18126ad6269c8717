import type { AssetCode } from '@candela/protocol/money/assets'
import { mulDiv } from '@candela/protocol/money/money'

/** Held ÷ owed in millionths, rounded down so that what is short never reads as whole; null where nothing is owed. */
export const ratio_ppm = (held: bigint, owed: bigint): bigint | null =>
  owed <= 0n ? null : held <= 0n ? 0n : mulDiv(held, 1_000_000n, owed)

/** The asset of which the least is there of what is owed. */
export function lowestOf(
  lines: readonly { asset: AssetCode; ratio: bigint | null }[],
): { asset: AssetCode; ratio: bigint } | null {
  let lowest: { asset: AssetCode; ratio: bigint } | null = null
  for (const { asset, ratio } of lines) {
    if (ratio !== null && (lowest === null || ratio < lowest.ratio)) lowest = { asset, ratio }
  }
  return lowest
}

/** Reads the same of each asset. */
export const ofEachAsset = <T>(read: (asset: AssetCode) => T): Record<AssetCode, T> => ({
  JU: read('JU'),
  USDT: read('USDT'),
  HASH: read('HASH'),
})
