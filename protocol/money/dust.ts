import type { AssetCode } from './assets.ts'

/**
 * Base units of each asset from which an amount counts by itself: about 0.01 USDT. What is less costs more to keep apart than it is worth,
 * so a crowd of such amounts could cost everybody something.
 */
export const dustSteps: Readonly<Record<AssetCode, bigint>> = {
  USDT: 10n ** 16n,
  HASH: 2n * 10n ** 16n,
  JU: 2n * 10n ** 15n,
}

export const isDust = (asset: AssetCode, amount: bigint): boolean => amount < dustSteps[asset]
