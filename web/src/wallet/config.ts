import { type Connector, createConfig } from '@wagmi/core'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { ChainDisconnectedError, custom, defineChain, type EIP1193Provider } from 'viem'
import { WalletError } from './errors.ts'
import { remoteConnector } from './remote/remote-connector.ts'
import type { RemoteWallets } from './remote/types.ts'

/** Names and URLs are for adding the chain to a wallet and come with that call; here only the id counts. */
const chain = defineChain({
  id: CHAIN_ID,
  name: `chain ${CHAIN_ID}`,
  nativeCurrency: { name: 'JU', symbol: 'JU', decimals: 18 },
  rpcUrls: { default: { http: [] } },
  // Sets how often receipts are looked for: every half of this.
  blockTime: 1_500,
})

export type WagmiConfig = ReturnType<typeof makeConfig>

/**
 * wagmi on our one chain. Reads go through the connected wallet's own connection to the chain. A wallet on another device has none
 * for us: there they go to the RPCs that the operator names to every wallet, which the content security policy allows.
 */
export function makeConfig(remote?: RemoteWallets) {
  const config = createConfig({
    chains: [chain],
    // The wallets of this browser are added when they are found.
    multiInjectedProviderDiscovery: false,
    connectors: remote === undefined ? [] : [remoteConnector(remote)],
    // The wallet that was used is one key of ours, and permissions are kept by the wallet: wagmi has nothing to store.
    storage: null,
    transports: {
      [CHAIN_ID]: custom({
        async request(call: Parameters<EIP1193Provider['request']>[0]): Promise<unknown> {
          const provider = await providerOf(currentConnector(config))
          // A wallet may be switched to another chain between two reads, and what that chain answers about our
          // transaction is wrong.
          if (provider === undefined) throw new WalletError('failed', 'The wallet has gone')
          const chainId = Number(await provider.request({ method: 'eth_chainId' }))
          if (chainId !== CHAIN_ID) throw new ChainDisconnectedError(new Error(`The wallet is on chain ${chainId}`))
          return await provider.request(call)
        },
      }),
    },
  })
  return config
}

type Connection = { connector: Connector; accounts: readonly string[] }
type Connections = { state: { current: string | null; connections: Map<string, Connection> } }

/** The connection in use. @throws WalletError when there is none */
export function currentConnection({ state }: Connections): Connection {
  const connection = state.current === null ? undefined : state.connections.get(state.current)
  if (connection === undefined) throw new WalletError('failed', 'No wallet is connected')
  return connection
}

export const currentConnector = (connections: Connections): Connector => currentConnection(connections).connector

/** Undefined behind `window.ethereum` where nothing was injected. */
export const providerOf = async (connector: Connector): Promise<EIP1193Provider | undefined> =>
  (await connector.getProvider()) as EIP1193Provider | undefined
