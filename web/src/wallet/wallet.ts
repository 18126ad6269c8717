import { loadFile } from '../lib/load-file.ts'
import { openStorage } from '../lib/storage.ts'
import { builtContracts } from './paying/contracts.ts'
import { createWallet } from './create-wallet.ts'
import type { WalletModule } from './types.ts'

/** The wallet of this page: what every screen uses. The libraries behind it load on the first call that needs them. */

const loadEngine = () => loadFile(() => import('./engine.ts'))

const wallet = createWallet(window, openStorage(), loadEngine, builtContracts) satisfies WalletModule

export const {
  setChooser,
  setRemote,
  walletStore,
  connectWallet,
  forgetWallet,
  reconnectWallet,
  currentWallet,
  checkWallet,
  readChainId,
  signMessage,
  signTransfer,
  switchNetwork,
  sendRecharge,
  sendNative,
  sendApproval,
  sendCall,
  ask,
  readBalance,
  readSentCounts,
  readAllowance,
  onAccountChange,
  onChainChange,
  onLock,
} = wallet
