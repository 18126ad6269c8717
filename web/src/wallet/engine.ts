/**
 * The part of the wallet that uses wallet libraries. It is loaded when a wallet is needed for the first time, so that a
 * visitor who only looks does not download it.
 */
import { type Connector, connect, reconnect, signMessage } from '@wagmi/core'
import { CHAIN_ID, type NetworkConfig } from '@candela/protocol/chain/network'
import type { TransferTypedData } from '@candela/protocol/chain/typed-data'
import { type Address, type EIP1193Provider, numberToHex } from 'viem'
import { currentConnector, makeConfig, providerOf } from './config.ts'
import { LEGACY_ID } from './discovery.ts'
import { withErrorCodes } from './error-codes.ts'
import { WalletError } from './errors.ts'
import { readChainId, switchNetwork } from './network.ts'
import { isRemote } from './remote/remote-connector.ts'
import type { RemoteWallets } from './remote/types.ts'
import { sendNative, sendRecharge } from './send.ts'
import { signTransfer } from './sign-typed-data.ts'
import { toWalletError } from './to-wallet-error.ts'
import { readAllowance, readBalance, sendApproval } from './tokens.ts'
import type { Approval, NativeTransfer, RechargeTransaction, SendEvents, WalletOption } from './types.ts'
import { answerInTime } from './waiting.ts'

/** A connected account as the wallet has it now. */
export type Connected = { address: Address; chainId: number; walletName: string }

type EngineOptions = {
  /** Runs on every change of the connection that is in use; undefined when there is none. */
  onChange: (now: Connected | undefined) => void
  /** For wallets on other devices; undefined: none are offered. */
  remote?: RemoteWallets | undefined
}

export type WalletEngine = ReturnType<typeof createEngine>

export function createEngine({ onChange, remote }: EngineOptions) {
  const config = makeConfig(remote)
  /** The connector that the person has chosen. */
  let inUse: string | null = null

  config.subscribe(
    ({ connections }) => (inUse === null ? undefined : connections.get(inUse)),
    (connection) => onChange(connection && asConnected(connection)),
  )
  // Any other wallet that is permitted here becomes current as soon as its account changes.
  config.subscribe(
    ({ current }) => current,
    (current) => {
      if (inUse !== null && current !== inUse && config.state.connections.has(inUse))
        config.setState((state) => ({ ...state, current: inUse }))
    },
  )

  /** Announced wallets; the one behind `window.ethereum` only when none is, else it would be listed twice. */
  async function connectorsHere(): Promise<readonly Connector[]> {
    const all = config.connectors.filter((connector) => !isRemote(connector)).map(withErrorCodes)
    const announced = all.filter(({ id }) => id !== LEGACY_ID)
    if (announced.length > 0) return announced
    const [legacy] = all
    return legacy !== undefined && (await providerOf(legacy)) !== undefined ? [legacy] : []
  }

  /** Wallets of this browser, then those on other devices where they are offered. */
  async function connectors(): Promise<readonly Connector[]> {
    const isOffered = remote !== undefined && (await remote.settings()) !== null
    return [...(await connectorsHere()), ...(isOffered ? config.connectors.filter(isRemote).map(withErrorCodes) : [])]
  }

  const connectorById = async (id: string) => (await connectors()).find((connector) => connector.id === id)

  function connectionNow(): Connection | undefined {
    return inUse === null ? undefined : config.state.connections.get(inUse)
  }

  function connectedNow(): Connected {
    const connection = connectionNow()
    if (connection === undefined) throw new WalletError('failed', 'The wallet disconnected')
    return asConnected(connection)
  }

  async function providerById(id: string) {
    const connector = await connectorById(id)
    return connector === undefined ? undefined : await providerOf(connector)
  }

  return {
    listWallets: async (): Promise<WalletOption[]> => (await connectors()).map(asOption),

    /** Asks the wallet for its accounts. @throws WalletError */
    async connect(id: string): Promise<Connected> {
      const connector = await connectorById(id)
      if (connector === undefined) throw new WalletError('not-installed', 'Wallet not installed')
      const before = inUse
      inUse = connector.uid
      try {
        if (connector.uid !== config.state.current) await connect(config, { connector })
        return connectedNow()
      } catch (error) {
        if (connectionNow() === undefined) inUse = before
        throw toWalletError(error, 'connecting')
      }
    },

    /**
     * The same without asking; null when the wallet is absent, locked or no longer permits it. @throws WalletError `silent`
     */
    async reconnect(id: string): Promise<Connected | null> {
      const [connector, provider] = [await connectorById(id), await providerById(id)]
      if (connector === undefined || provider === undefined) return null
      // wagmi would wait for both without end, and for a second attempt not at all.
      const [accounts] = await Promise.all([readAccounts(provider), readChainId(provider)])
      if (accounts.length === 0) return null
      inUse = connector.uid
      const connections = await reconnect(config, { connectors: [connector] })
      return connections.length === 0 ? null : connectedNow()
    },

    /**
     * Asks the wallet in use where it is, because not all tell of a change. Null when it is locked by now.
     * @throws WalletError `silent` or `failed`
     */
    async check(): Promise<Connected | null> {
      const connection = connectionNow()
      const provider = connection && (await providerOf(connection.connector))
      if (connection === undefined || provider === undefined) return null
      const [accounts, chainId] = await Promise.all([readAccounts(provider), readChainId(provider)])
      if (accounts[0]?.toLowerCase() !== connection.accounts[0].toLowerCase())
        connection.connector.onAccountsChanged(accounts)
      if (accounts.length === 0) return null
      if (chainId !== connectionNow()?.chainId) connection.connector.onChainChanged(numberToHex(chainId))
      return connectedNow()
    },

    /** The chain of a wallet, also of one that is locked. @throws WalletError `not-installed`, `silent` or `failed` */
    async readChainId(id: string): Promise<number> {
      const provider = await providerById(id)
      if (provider === undefined) throw new WalletError('not-installed', 'Wallet not installed')
      const chainId = await readChainId(provider)
      const connection = connectionNow()
      if (connection?.connector.id === id && connection.chainId !== chainId)
        connection.connector.onChainChanged(numberToHex(chainId))
      return chainId
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
    sendNative: (transfer: NativeTransfer, on: SendEvents, timeoutMs?: number) =>
      sendNative(config, transfer, on, timeoutMs),
    sendApproval: (approval: Approval, on: SendEvents, timeoutMs?: number) =>
      sendApproval(config, approval, on, timeoutMs),
    /** Asks the chain through the wallet. @throws when the wallet is on another chain */
    ask: (method: string, params: readonly unknown[]): Promise<unknown> =>
      config.getClient({ chainId: CHAIN_ID }).request({ method, params } as never),
    readBalance: (token: Address | null, owner: Address) => readBalance(config, token, owner),
    readAllowance: (token: Address, owner: Address, spender: Address) => readAllowance(config, token, owner, spender),
  }
}

/** Those that the wallet opens to the page; none while it is locked. @throws WalletError `silent` or `failed` */
async function readAccounts(provider: EIP1193Provider): Promise<Address[]> {
  try {
    return [...(await answerInTime(provider.request({ method: 'eth_accounts' })))]
  } catch (error) {
    const known = toWalletError(error, 'asking for the accounts')
    if (known.kind === 'wrong-account') return []
    throw known
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
