import { readPublicData } from '../../api/public-data.ts'
import { ourNetwork } from '../../session/our-network.ts'
import type { RemoteSettings } from '../../wallet/remote/types.ts'

/**
 * Reads the settings that wallets on other devices need; null where the operator offers none, or the server does not answer now or
 * names another network.
 */
export async function remoteSettings(): Promise<RemoteSettings | null> {
  try {
    const { walletConnect } = await readPublicData()
    const { rpcUrls } = await ourNetwork()
    return walletConnect && { ...walletConnect, rpcUrls, origin: window.location.origin }
  } catch {
    // A person who signs in is told by the call that comes next.
    return null
  }
}
