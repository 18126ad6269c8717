import { CHAIN_ID } from '@candela/protocol/chain/network'
import { translate } from '../i18n/use-translation.ts'
import type { App } from '../session/app-context.tsx'
import { closeToast, showToast } from '../ui/overlay/toast.tsx'
import { WalletError } from '../wallet/errors.ts'
import { currentWallet } from '../wallet/wallet.ts'
import { showWalletProblem } from './wallet-problem.ts'

/** A wallet that works answers before this, in milliseconds; then it is said what is waited for. */
const TELL_AFTER_MS = 2_000

/**
 * Whether the wallet is on the account that is signed in and on the right chain, because a payment may come from no
 * other. The wallet is asked, because not all tell of a change. When it is false, the reason has been shown.
 */
export async function walletReady(app: Pick<App, 'session' | 'showNetworkDialog'>): Promise<boolean> {
  const stop = new AbortController()
  let told = false
  const telling = setTimeout(() => {
    told = true
    showToast('loading', translate('pay.waitingForWallet'), stopWaiting(stop))
  }, TELL_AFTER_MS)
  try {
    const { address, chainId } = await currentWallet({ signal: stop.signal })
    if (chainId !== CHAIN_ID) throw new WalletError('wrong-chain', `The wallet is on chain ${chainId}`)
    if (address?.toLowerCase() !== app.session.get().address.toLowerCase())
      throw new WalletError('wrong-account', `The wallet is on ${address}`)
    if (told) closeToast()
    return true
  } catch (error) {
    showWalletProblem(app, error, 'signature')
    return false
  } finally {
    clearTimeout(telling)
  }
}

/** The way out that a toast offers while a wallet is waited for. */
export const stopWaiting = (stop: AbortController) => ({
  action: { label: translate('pay.stopWaiting'), run: () => stop.abort() },
})
