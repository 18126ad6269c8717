import { openStorage } from '../lib/storage.ts'
import { createWallet } from './create-wallet.ts'
import type { WalletModule } from './types.ts'

/** The wallet of this page: what every screen uses. The libraries behind it load on the first call that needs them. */

export { WalletError } from './errors.ts'

const wallet = createWallet(window, openStorage(), () => import('./engine.ts')) satisfies WalletModule

export const {
  setChooser,
  walletStore,
  connectWallet,
  reconnectWallet,
  signMessage,
  signTransfer,
  switchNetwork,
  sendRecharge,
  sendApproval,
  readBalance,
  readAllowance,
  onAccountChange,
  onChainChange,
} = wallet
