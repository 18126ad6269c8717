import { uniswapV2PairAbi } from '@candela/protocol/abi/uniswap-v2'
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import { decodeFunctionData, encodeFunctionResult, type Hex } from 'viem'

/** Pairs of an asset with USDT in the manner of Uniswap V2, as far as the server reads them. */

const WHOLE = 10n ** 18n
const Q112 = 2n ** 112n
export const ASSET_RESERVE = 1_000_000n * WHOLE

/** The wrapped JU of the JU pair. */
export const wrappedJu: Hex = `0x${'d3'.padStart(40, '0')}`
export const pairAddresses: Record<CollateralAsset, Hex> = {
  JU: `0x${'e1'.padStart(40, '0')}`,
  HASH: `0x${'e2'.padStart(40, '0')}`,
}

/** The holdings of a pair, in base units. */
export type Reserves = { asset: bigint; usdt: bigint }

/** `cumulative`: the pair's own sum as of its last trade. */
export type PairState = Reserves & { cumulative: bigint; tradedAt: number }

/** USDT base units for a whole unit. */
export const priceIn = ({ asset, usdt }: Reserves): bigint => (usdt * WHOLE) / asset

/** The holdings of a pair that has so much of the asset, at a price. */
export const reservesAt = (price: bigint, asset: bigint): Reserves => ({ asset, usdt: (price * asset) / WHOLE })

export const newPair = (price: bigint, timestamp: number): PairState => ({
  ...reservesAt(price, ASSET_RESERVE),
  cumulative: 0n,
  tradedAt: timestamp,
})

/** The sum of price × seconds at a time. */
const cumulativeAt = (pair: PairState, timestamp: number): bigint =>
  pair.cumulative + ((pair.usdt * Q112) / pair.asset) * BigInt(timestamp - pair.tradedAt)

/** The average between two times of one branch, USDT base units for a whole unit. */
export const averageBetween = (
  [from, from_s]: readonly [PairState, number],
  [to, to_s]: readonly [PairState, number],
): bigint => ((cumulativeAt(to, to_s) - cumulativeAt(from, from_s)) * WHOLE) / (BigInt(to_s - from_s) * Q112)

/** After trades that end with these reserves. */
export const traded = (pair: PairState, { asset, usdt }: Reserves, timestamp: number): PairState => ({
  asset,
  usdt,
  cumulative: cumulativeAt(pair, timestamp),
  tradedAt: timestamp,
})

/** Answers a call of a pair. @param tokens the asset's and USDT's address */
export function viewPair(pair: PairState, tokens: readonly [Hex, Hex], data: Hex): Hex {
  const abi = uniswapV2PairAbi
  const { functionName } = decodeFunctionData({ abi, data })
  switch (functionName) {
    case 'token0':
      return encodeFunctionResult({ abi, functionName, result: tokens[0] })
    case 'token1':
      return encodeFunctionResult({ abi, functionName, result: tokens[1] })
    case 'getReserves':
      return encodeFunctionResult({ abi, functionName, result: [pair.asset, pair.usdt, pair.tradedAt] })
    case 'price0CumulativeLast':
      return encodeFunctionResult({ abi, functionName, result: pair.cumulative })
    // The server reads both sums and uses that of the asset.
    case 'price1CumulativeLast':
      return encodeFunctionResult({ abi, functionName, result: 0n })
    case 'sync':
    case 'totalSupply':
      break
  }
  throw new Error(`the model of a pair does not know ${functionName}`)
}
