import { type Connector, createConnector, type CreateConnectorFn } from '@wagmi/core'
import { type Address, fallback, http } from 'viem'
import { loadFile } from '../../lib/load-file.ts'
import { WalletError } from '../errors.ts'
import { createRemoteProvider, type RemoteProvider } from './remote-provider.ts'
import { REMOTE_ID, type RemoteWallets } from './types.ts'

/** wagmi's connector of wallets on other devices. Its library is loaded when one is wanted, or was connected before. */
export const remoteConnector = (remote: RemoteWallets): CreateConnectorFn =>
  createConnector((config) => {
    const { emitter } = config
    let opening: Promise<RemoteProvider> | undefined

    const open = (): Promise<RemoteProvider> =>
      (opening ??= openProvider(remote, {
        onChange: ({ accounts, chainId }) => emitter.emit('change', { accounts, chainId }),
        onEnd: () => emitter.emit('disconnect'),
      }).catch((error: unknown) => {
        // The next tap tries again, because this one may have failed without a network.
        opening = undefined
        throw error
      }))

    return {
      id: REMOTE_ID,
      name: 'WalletConnect',
      type: REMOTE_ID,
      /** A tap connects anew: only so can another wallet take the place of the one before. */
      async connect({ isReconnecting, withCapabilities } = {}) {
        const provider = await open()
        if (isReconnecting !== true) await provider.pair()
        const accounts = provider.accounts()
        return {
          accounts: (withCapabilities === true
            ? accounts.map((address) => ({ address, capabilities: {} }))
            : accounts) as never,
          chainId: provider.chainId(),
        }
      },
      disconnect: async () => (await open()).end(),
      getAccounts: async () => (await open()).accounts(),
      getChainId: async () => (await open()).chainId(),
      getProvider: open,
      isAuthorized: async () => (await open()).accounts().length > 0,
      onAccountsChanged(accounts) {
        if (accounts.length === 0) emitter.emit('disconnect')
        else emitter.emit('change', { accounts: accounts as Address[] })
      },
      onChainChanged: (chainId) => emitter.emit('change', { chainId: Number(chainId) }),
      onDisconnect: () => emitter.emit('disconnect'),
    }
  })

type Listeners = Pick<Parameters<typeof createRemoteProvider>[0], 'onChange' | 'onEnd'>

async function openProvider(remote: RemoteWallets, listeners: Listeners): Promise<RemoteProvider> {
  const settings = await remote.settings()
  if (settings === null) throw new WalletError('not-installed', 'Wallets on other devices are not offered')
  const { openClient } = await loadFile(() => import('./open-client.ts'))
  const { request } = fallback(settings.rpcUrls.map((url) => http(url)))({})
  return createRemoteProvider({
    client: await openClient(settings),
    readChain: (call) => request(call),
    showPairing: (pairing) => remote.showPairing(pairing),
    ...listeners,
  })
}

export const isRemote = ({ id }: Pick<Connector, 'id'>): boolean => id === REMOTE_ID
