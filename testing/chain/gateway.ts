import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { encodeFunctionData, type Hex, keccak256, stringToHex, zeroAddress } from 'viem'

/** The payment contract as development chains and tests deploy it. */

/** Numbers of the contract's roles that have a standby. */
export const ROLE = { payer: 0, attester: 1 } as const

/** Caps in base units, of USDT, HASH and JU. */
export type GatewayRoles = {
  owner: Hex
  payer: Hex
  standbyPayer?: Hex
  attester: Hex
  guardian?: Hex
  caps: readonly [bigint, bigint, bigint]
}

/** Arguments of the contract's constructor. The owner is the attester until the calls of `openingCalls` are made. */
export const gatewayArguments = (
  { owner, payer, standbyPayer = zeroAddress, attester, guardian = zeroAddress, caps }: GatewayRoles,
  { router, usdt, hash }: Record<'router' | 'usdt' | 'hash', Hex>,
): readonly unknown[] => [
  { owner, payer, standbyPayer, attester: owner, standbyAttester: attester, guardian, caps },
  router,
  usdt,
  hash,
]

/** Calls of the owner: it attests, for a day long ago, that nothing is owed, since no money comes in before; then the attester takes over. */
export const openingCalls = (hash: Hex): readonly Hex[] => [
  encodeFunctionData({
    abi: paymentGatewayAbi,
    functionName: 'attest',
    args: [1n, keccak256(stringToHex('nothing is owed')), [0n, 0n, 0n], hash, 1n, 0n, 0n],
  }),
  encodeFunctionData({ abi: paymentGatewayAbi, functionName: 'switchToStandby', args: [ROLE.attester] }),
]
