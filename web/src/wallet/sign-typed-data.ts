import type { TransferTypedData } from '@candela/protocol/chain/typed-data'
import { signTypedData } from '@wagmi/core'
import { toWalletError } from './to-wallet-error.ts'
import type { WagmiConfig } from './config.ts'

/** Has the account that gives sign exactly these terms (EIP-712). Costs nothing and sends nothing. @throws WalletError */
export async function signTransfer(config: WagmiConfig, data: TransferTypedData): Promise<`0x${string}`> {
  try {
    return await signTypedData(config, { account: data.message.from, ...data })
  } catch (error) {
    throw toWalletError(error, 'signing a transfer')
  }
}
