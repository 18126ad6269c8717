import type { TransferTypedData } from '@candela/protocol/chain/typed-data'
import { signMessage, signTypedData } from '@wagmi/core'
import { WalletError } from './errors.ts'
import { toWalletError } from './to-wallet-error.ts'
import type { WagmiConfig } from './config.ts'

type Hex = `0x${string}`

/** Has the account that gives sign exactly these terms (EIP-712). Costs nothing and sends nothing. @throws WalletError */
export async function signTransfer(config: WagmiConfig, data: TransferTypedData): Promise<Hex> {
  try {
    return toSignature(await signTypedData(config, { account: data.message.from, ...data }))
  } catch (error) {
    throw toWalletError(error, 'signing a transfer')
  }
}

/** Has the connected account sign a text (EIP-191). @throws WalletError */
export async function signText(config: WagmiConfig, message: string): Promise<Hex> {
  try {
    return toSignature(await signMessage(config, { message }))
  } catch (error) {
    throw toWalletError(error, 'signing a message')
  }
}

/** Some wallets leave the `0x` out. @throws WalletError for what is no signature */
function toSignature(answer: unknown): Hex {
  const text = typeof answer === 'string' && answer !== '' ? answer.trim().replace(/^(0x)?/i, '0x') : ''
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) throw new WalletError('failed', 'The wallet has answered no signature')
  return text as Hex
}
