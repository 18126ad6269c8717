import { erc20Abi } from '@candela/protocol/abi/erc20'
import { encodeFunctionData } from 'viem'
import type { WagmiConfig } from './config.ts'
import { sendAndFollow } from './send.ts'
import type { Approval, SendEvents, SendOutcome } from './types.ts'

/**
 * Has the wallet set what a contract may take of a token, to exactly `amount`; 0 takes every permission back.
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
