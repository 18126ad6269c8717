import { erc20Abi } from '@candela/protocol/abi/erc20'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { getBalance, readContract } from '@wagmi/core'
import { encodeFunctionData } from 'viem'
import type { WagmiConfig } from './config.ts'
import { sendAndFollow } from './send.ts'
import { toWalletError } from './to-wallet-error.ts'
import type { Approval, SendEvents, SendOutcome } from './types.ts'

type Hex = `0x${string}`

/** What the owner holds of a token, or of the chain's own currency where it is null; base units. @throws WalletError */
export async function readBalance(config: WagmiConfig, token: Hex | null, owner: Hex): Promise<bigint> {
  if (token !== null) return readTokenBalance(config, token, owner)
  return (await getBalance(config, { address: owner, chainId: CHAIN_ID }).catch(fail)).value
}

const readTokenBalance = (config: WagmiConfig, token: Hex, owner: Hex): Promise<bigint> =>
  readContract(config, {
    abi: erc20Abi,
    address: token,
    functionName: 'balanceOf',
    args: [owner],
    chainId: CHAIN_ID,
  }).catch(fail)

/** What the spender may take from the owner, in base units. @throws WalletError */
export const readAllowance = (config: WagmiConfig, token: Hex, owner: Hex, spender: Hex): Promise<bigint> =>
  readContract(config, {
    abi: erc20Abi,
    address: token,
    functionName: 'allowance',
    args: [owner, spender],
    chainId: CHAIN_ID,
  }).catch(fail)

/**
 * Has the wallet set what a contract may take of a token, to exactly `amount` base units; 0 ends the permission.
 * @throws WalletError
 */
export function sendApproval(
  config: WagmiConfig,
  { owner, token, spender, amount }: Approval,
  on: SendEvents,
  timeoutMs?: number,
): Promise<SendOutcome> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
  return sendAndFollow(config, { from: owner, to: token, data, value: 0n }, on, timeoutMs)
}

function fail(error: unknown): never {
  throw toWalletError(error, 'reading the token')
}
