import { CHAIN_ID } from '@candela/protocol/chain/network'
import { encodeFunctionData } from 'viem'
import { call } from 'viem/actions'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import type { WagmiConfig } from '../config.ts'
import { toWalletError } from '../to-wallet-error.ts'
import type { Approval } from '../types.ts'

/** The call that sets what a spender may take, in base units. */
export const approveCall = ({ spender, amount }: Pick<Approval, 'spender' | 'amount'>) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })

/** Whether the token's contract would refuse this allowance now. False also while nobody can tell. */
export async function isRefusedByToken(config: WagmiConfig, approval: Omit<Approval, 'needed'>): Promise<boolean> {
  const { owner: account, token: to } = approval
  try {
    await call(config.getClient({ chainId: CHAIN_ID }), { account, to, data: approveCall(approval) })
    return false
  } catch (error) {
    return toWalletError(error, 'trying an approval').kind === 'would-revert'
  }
}
