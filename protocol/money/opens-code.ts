import type { AssetCode } from './assets.ts'
import { dustSteps } from './dust.ts'
import { fromBaseUnits } from './money.ts'

/** A hundred steps of an asset, about 1 USDT, open a member's own invitation code when they are paid in on chain. Base units. */
export const codeOpensAt = (asset: AssetCode): bigint => 100n * dustSteps[asset]

/** How much of that an amount is, in millionths, rounded down; a million at most. */
export function partOfOpening(asset: AssetCode, amount: bigint): bigint {
  const part = (amount * 1_000_000n) / codeOpensAt(asset)
  return part < 1_000_000n ? part : 1_000_000n
}

/** The amounts as sentences say them. */
export const codeOpensAtTexts = {
  usdt: fromBaseUnits(codeOpensAt('USDT')),
  hash: fromBaseUnits(codeOpensAt('HASH')),
  ju: fromBaseUnits(codeOpensAt('JU')),
}
