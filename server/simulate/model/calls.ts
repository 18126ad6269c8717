import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import { type AssetCode, assetCodes } from '@candela/protocol/money/assets'
import type { Sums } from '@candela/protocol/proof/sum-tree'
import { decodeFunctionData, type Hex } from 'viem'
import type { ProvedLeaf } from './attested-state.ts'
import type { Reserves } from './pairs.ts'
import type { Wallet } from './wallets.ts'

/** Addresses of the contracts, of the payer, of the attester and of the gateway's owner, in lower case. */
export type ModelContracts = { gateway: Hex; usdt: Hex; hash: Hex; payer: Hex; attester: Hex; owner: Hex }

/** An attestation of the attester; `day` is counted from 1970-01-01. */
export type AttestCall = {
  do: 'attest'
  day: bigint
  root: Hex
  sums: Sums
  subcoin: Hex
  leaves: bigint
  block: bigint
  sequence: bigint
}

/** The act of a transaction. Amounts in base units. */
export type Call =
  | { do: 'recharge'; key: string; asset: AssetCode; amount: bigint; customer: Hex; reference: string }
  | { do: 'native'; amount: bigint }
  /** Tokens sent to the gateway's address without calling it. */
  | { do: 'transfer'; asset: 'USDT' | 'HASH'; amount: bigint }
  | { do: 'pay'; id: Hex; asset: AssetCode; to: Hex; amount: bigint }
  | { do: 'pause'; paused: boolean }
  | AttestCall
  | { do: 'enterExit' }
  | { do: 'claim'; proof: ProvedLeaf }
  | { do: 'announceTaking'; asset: AssetCode; to: Hex; amount: bigint }
  | { do: 'take'; asset: AssetCode }
  /** The sender's account becomes a wallet of this kind. */
  | { do: 'become'; wallet: Wallet }
  /** Moves the price of a pair to this, USDT base units for a whole unit. */
  | { do: 'trade'; asset: CollateralAsset; price: bigint }
  /** The pair's holdings after each of several swaps, and how many seconds before the block that was. */
  | { do: 'swaps'; asset: CollateralAsset; swaps: readonly (Reserves & { before_s: number })[] }
  | { do: 'nothing' }

export const addressOf = ({ usdt, hash }: ModelContracts, asset: AssetCode): Hex =>
  ({ JU: NATIVE_ASSET, USDT: usdt, HASH: hash })[asset] as Hex

export function assetOf(contracts: ModelContracts, address: string): AssetCode {
  const found = assetCodes.find((asset) => addressOf(contracts, asset) === address.toLowerCase())
  if (found === undefined) throw new Error(`no asset has the address ${address}`)
  return found
}

/** Decodes a transaction to the gateway. */
export function readCall(contracts: ModelContracts, to: Hex, data: Hex, value: bigint): Call {
  if (data === '0x') return { do: 'native', amount: value }
  const call = decodeFunctionData({ abi: paymentGatewayAbi, data })
  if (to === contracts.gateway && call.functionName === 'pay') {
    const [id, asset, recipient, amount] = call.args
    return { do: 'pay', id, asset: assetOf(contracts, asset), to: recipient.toLowerCase() as Hex, amount }
  }
  if (to === contracts.gateway && call.functionName === 'attest') {
    const [day, root, sums, subcoin, leaves, block, sequence] = call.args
    return { do: 'attest', day, root, sums, subcoin: subcoin.toLowerCase() as Hex, leaves, block, sequence }
  }
  throw new Error(`the model does not know ${call.functionName}`)
}
