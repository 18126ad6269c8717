/**
 * The part of the wallet that uses wallet libraries. It is loaded when a wallet is needed for the first time, so that a
 * visitor who only looks does not download it.
 */
import { type Connector, connect, reconnect, signMessage } from '@wagmi/core'
import type { NetworkConfig } from '@candela/protocol/chain/network'
import type { TransferTypedData } from '@candela/protocol/chain/typed-data'
import type { Address } from 'viem'
import { currentConnector, makeConfig, providerOf } from './config.ts'
import { LEGACY_ID } from './discovery.ts'
import { WalletError, toWalletError } from './errors.ts'
import { switchNetwork } from './network.ts'
import { sendRecharge } from './send.ts'
import { signTransfer } from './sign-typed-data.ts'
import { readAllowance, readBalance, sendApproval } from './tokens.ts'
import type { Approval, RechargeTransaction, SendEvents, WalletOption } from './types.ts'

/** A connected account as the wallet has it now. */
export type Connected = { address: Address; chainId: number; walletName: string }

type EngineOptions = {
  /** Runs on every change of the connection that is in use; undefined when there is none. */
  onChange: (now: Connected | undefined) => void
}

export type WalletEngine = ReturnType<typeof createEngine>

export function createEngine({ onChange }: EngineOptions) {
  const config = makeConfig()

  config.subscribe(
    (state) => (state.current === null ? undefined : state.connections.get(state.current)),
    (connection) => onChange(connection && asConnected(connection)),
  )

  /** Announced wallets; the one behind `window.ethereum` only when none is, else it would be listed twice. */
  async function connectors(): Promise<readonly Connector[]> {
    const announced = config.connectors.filter(({ id }) => id !== LEGACY_ID)
    if (announced.length > 0) return announced
    const [legacy] = config.connectors
    return legacy !== undefined && (await providerOf(legacy)) !== undefined ? [legacy] : []
  }

  const connectorById = async (id: string) => (await connectors()).find((connector) => connector.id === id)

  function connectedNow(): Connected {
    const connection = config.state.connections.get(currentConnector(config).uid)
    if (connection === undefined) throw new WalletError('failed', 'The wallet disconnected')
    return asConnected(connection)
  }

  return {
    listWallets: async (): Promise<WalletOption[]> => (await connectors()).map(asOption),

    /** Asks the wallet for its accounts. @throws WalletError */
    async connect(id: string): Promise<Connected> {
      const connector = await connectorById(id)
      if (connector === undefined) throw new WalletError('not-installed', 'Wallet not installed')
      try {
        if (connector.uid !== config.state.current) await connect(config, { connector })
        return connectedNow()
      } catch (error) {
        throw toWalletError(error, 'connecting')
      }
    },

    /** The same without asking; null when the wallet is absent, locked or no longer permits it. */
    async reconnect(id: string): Promise<Connected | null> {
      const connector = await connectorById(id)
      if (connector === undefined) return null
      const connections = await reconnect(config, { connectors: [connector] })
      return connections.length === 0 ? null : connectedNow()
    },

    /** EIP-191 signature by the connected account. @throws WalletError */
    signMessage: (message: string): Promise<`0x${string}`> =>
      signMessage(config, { message }).catch((error: unknown) => {
        throw toWalletError(error, 'signing a message')
      }),

    signTransfer: (data: TransferTypedData) => signTransfer(config, data),
    switchNetwork: (network: NetworkConfig) => switchNetwork(currentConnector(config), network),
    sendRecharge: (transaction: RechargeTransaction, on: SendEvents, timeoutMs?: number) =>
      sendRecharge(config, transaction, on, timeoutMs),
    sendApproval: (approval: Approval, on: SendEvents, timeoutMs?: number) =>
      sendApproval(config, approval, on, timeoutMs),
    readBalance: (token: Address | null, owner: Address) => readBalance(config, token, owner),
    readAllowance: (token: Address, owner: Address, spender: Address) => readAllowance(config, token, owner, spender),
  }
}

type Connection = { accounts: readonly [Address, ...Address[]]; chainId: number; connector: Connector }

const asConnected = ({ accounts, chainId, connector }: Connection): Connected => ({
  // The product compares and shows addresses in lower case.
  address: accounts[0].toLowerCase() as Address,
  chainId,
  walletName: connector.name,
})

/** An icon that is not a data URI would be a request to a stranger's server. */
const asOption = ({ id, name, icon }: Connector): WalletOption => ({
  id,
  name,
  icon: icon?.startsWith('data:image/') === true ? icon : '',
})
