import { readPublicData } from '../../api/public-data.ts'
import type { RemoteSettings } from '../../wallet/remote/types.ts'

/** What wallets on other devices need; null where the operator offers none, or the server does not answer now. */
export async function remoteSettings(): Promise<RemoteSettings | null> {
  try {
    const { walletConnect, network } = await readPublicData()
    return walletConnect && { ...walletConnect, rpcUrls: network.rpcUrls, origin: window.location.origin }
  } catch {
    // Whoever signs in is told by the call that comes next.
    return null
  }
}
