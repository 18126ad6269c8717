import { requiredNetwork } from '../api/public-data.ts'
import { translate } from '../i18n/use-translation.ts'
import type { App } from '../session/app-context.tsx'
import { showToast } from '../ui/overlay/toast.tsx'
import { connectWallet } from '../wallet/wallet.ts'

/**
 * Whether the wallet is on the account that is signed in and on the right chain, because a payment may come from no
 * other. When it is false, the reason has been shown.
 */
export async function walletReady(app: Pick<App, 'session' | 'showNetworkDialog'>): Promise<boolean> {
  try {
    const { address, chainId } = await connectWallet()
    const network = await requiredNetwork()
    if (chainId !== Number(network.chainId)) {
      app.showNetworkDialog(network)
      return false
    }
    if (address?.toLowerCase() === app.session.get().address.toLowerCase()) return true
    showToast('error', translate('pay.otherAccount'))
    return false
  } catch {
    showToast('error', translate('wallet.failed'))
    return false
  }
}
