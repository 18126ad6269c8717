import type { AssetCode } from '../money/assets.ts'
import { fromBaseUnits } from '../money/money.ts'
import { CHAIN_ID } from './network.ts'

/**
 * Typed data that a wallet is asked to sign (EIP-712) before value moves to somebody else. All terms but the addresses are texts,
 * because wallets show integers of base units or of seconds unformatted, and nobody can check "12500000000000000000".
 */

type Field = { name: string; type: 'string' | 'address' }

/** As `eth_signTypedData_v4` takes it, without the type of the domain, which every library adds itself. */
export type TransferTypedData = {
  domain: { name: string; version: string; chainId: number; verifyingContract: `0x${string}` }
  primaryType: 'Transfer'
  types: { Transfer: readonly Field[] }
  message: Record<'from' | 'to', `0x${string}`> & Record<'asset' | 'amount' | 'requestId' | 'deadline', string>
}

export type TransferTerms = {
  /** The sender's own address: one key may own several contract wallets, and signs for one of them. */
  from: `0x${string}`
  to: `0x${string}`
  asset: AssetCode
  /** Base units; shown in whole units. */
  amount: bigint
  requestId: string
  /** After this time the signature is refused. */
  deadline: Date
}

/** In the order in which they are hashed, and in which wallets show them. */
export const transferFields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'asset', type: 'string' },
  { name: 'amount', type: 'string' },
  { name: 'requestId', type: 'string' },
  { name: 'deadline', type: 'string' },
] as const satisfies readonly Field[]

/** The domain makes signatures for another chain or another deployment invalid here. */
export const signingDomain = (gateway: `0x${string}`): TransferTypedData['domain'] => ({
  name: 'Candela',
  version: '1',
  chainId: CHAIN_ID,
  verifyingContract: gateway,
})

/** @param gateway the payment contract, in lower case as all addresses here */
export const transferTypedData = (terms: TransferTerms, gateway: `0x${string}`): TransferTypedData => ({
  domain: signingDomain(gateway),
  primaryType: 'Transfer',
  types: { Transfer: transferFields },
  message: {
    from: terms.from,
    to: terms.to,
    asset: terms.asset,
    amount: fromBaseUnits(terms.amount),
    requestId: terms.requestId,
    deadline: terms.deadline.toISOString(),
  },
})
