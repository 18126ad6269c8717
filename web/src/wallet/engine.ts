/**
 * The part of the wallet that uses wallet libraries. It is loaded when a wallet is needed for the first time, so that a
 * visitor who only looks does not download it.
 */
import { type Connector, connect, reconnect, signMessage, signTypedData } from '@wagmi/core'
import { CHAIN_ID, type NetworkConfig } from '@candela/protocol/chain/network'
import type { TransferTypedData } from '@candela/protocol/chain/typed-data'
import { type Address, numberToHex } from 'viem'
import { currentConnector, makeConfig, providerOf, type WagmiConfig } from './config.ts'
import { browserConnector, readAccounts } from './injected/browser-connector.ts'
import { type BrowserWallet, hasId } from './injected/discovery.ts'
import { WalletError } from './errors.ts'
import { readChainId, switchNetwork } from './network.ts'
import { isRemote } from './remote/remote-connector.ts'
import type { RemoteWallets } from './remote/types.ts'
import { readNonce, send, sendNative, sendRecharge } from './paying/send.ts'
import { type Contracts, expectKnown } from './paying/contracts.ts'
import { toWalletError } from './to-wallet-error.ts'
import { readAllowance, readBalance, sendApproval } from './paying/tokens.ts'
import type {
  Approval,
  Call,
  NativeTransfer,
  Recharge,
  RechargeTransaction,
  SendEvents,
  SentCounts,
  WalletOption,
} from './types.ts'

type Hex = `0x${string}`

/** Has the account that gives sign exactly these terms (EIP-712). Costs nothing and sends nothing. @throws WalletError */
async function signTransfer(config: WagmiConfig, data: TransferTypedData): Promise<Hex> {
  try {
    return toSignature(await signTypedData(config, { account: data.message.from, ...data }))
  } catch (error) {
    throw toWalletError(error, 'signing a transfer')
  }
}

/** Has the connected account sign a text (EIP-191). @throws WalletError */
async function signText(config: WagmiConfig, message: string): Promise<Hex> {
  try {
    return toSignature(await signMessage(config, { message }))
  } catch (error) {
    throw toWalletError(error, 'signing a message')
  }
}

/** Some wallets leave the `0x` out. @throws WalletError for what is no signature */
function toSignature(answer: unknown): Hex {
  const text = typeof answer === 'string' && answer !== '' ? answer.trim().replace(/^(0x)?/i, '0x') : ''
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) throw new WalletError('failed', 'The wallet has answered no signature')
  return text as Hex
}

/** A connected account as the wallet has it now. */
export type Connected = { address: Address; chainId: number; walletName: string }

type EngineOptions = {
  /** Runs on every change of the connection that is in use; undefined when there is none. */
  onChange: (now: Connected | undefined) => void
  /** Lists the wallets of this browser that were found by now. */
  wallets: () => readonly BrowserWallet[]
  /** For wallets on other devices; undefined: none are offered. */
  remote?: RemoteWallets | undefined
  /** The contracts that payments may go to; null where any that the service names will do. */
  contracts?: Contracts | null
}

type Payment = { terms: Recharge; prepared: RechargeTransaction }

export type WalletEngine = ReturnType<typeof createEngine>

export function createEngine({ onChange, wallets, remote, contracts = null }: EngineOptions) {
  const config = makeConfig(remote)
  // wagmi has no other way to make a connector after its config, and to know its `uid` before it is connected.
  const { _internal: internal } = config
  const made = new Map<string, Connector>()
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

  function connectorOf(wallet: BrowserWallet): Connector {
    const connector = made.get(wallet.id) ?? internal.connectors.setup(browserConnector(wallet))
    made.set(wallet.id, connector)
    return connector
  }

  /** Wallets of this browser, then those on other devices where they are offered. */
  async function connectors(): Promise<readonly Connector[]> {
    const here = wallets().filter(({ provider }) => provider() !== null)
    const isOffered = remote !== undefined && (await remote.settings()) !== null
    return [...here.map(connectorOf), ...(isOffered ? config.connectors.filter(isRemote) : [])]
  }

  const connectorById = async (id: string) => {
    const all = await connectors()
    return all.find((connector) => connector.id === id) ?? all.find((connector) => hasId(connector, id))
  }

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
      const isInUse = connection !== undefined && connection.connector.uid === (await connectorById(id))?.uid
      if (isInUse && connection.chainId !== chainId) connection.connector.onChainChanged(numberToHex(chainId))
      return chainId
    },

    /** EIP-191 signature by the connected account. @throws WalletError */
    signMessage: (message: string) => signText(config, message),
    async signTransfer(data: TransferTypedData): Promise<Address> {
      expectKnown(contracts, { gateway: data.domain.verifyingContract })
      return await signTransfer(config, data)
    },
    switchNetwork: (network: NetworkConfig) => switchNetwork(currentConnector(config), network),
    sendRecharge: (payment: Payment, on: SendEvents, timeoutMs?: number) =>
      sendRecharge(config, contracts, payment, on, timeoutMs),
    sendNative: (transfer: NativeTransfer, on: SendEvents, timeoutMs?: number) =>
      sendNative(config, contracts, transfer, on, timeoutMs),
    sendApproval: (approval: Approval, on: SendEvents, timeoutMs?: number) =>
      sendApproval(config, contracts, approval, on, timeoutMs),
    /** Has a call to a contract sent. @returns its hash. @throws WalletError */
    async sendCall(call: Call): Promise<Address> {
      const hash = await send(config, { ...call, value: 0n }, { sent: () => {} })
      if (hash === null) throw new WalletError('unknown', 'The wallet named no transaction')
      return hash
    },
    async readSentCounts(account: Address): Promise<SentCounts> {
      const provider = await providerOf(currentConnector(config))
      if (provider === undefined || (await readChainId(provider)) !== CHAIN_ID) return { latest: null, pending: null }
      const [latest, pending] = await Promise.all([
        readNonce(provider, account, 'latest'),
        readNonce(provider, account, 'pending'),
      ])
      return { latest, pending }
    },

    /** Lets go of the wallet in use. One on another device is told so. */
    async forget(): Promise<void> {
      const connection = connectionNow()
      inUse = null
      if (connection === undefined) return
      connection.connector.emitter.emit('disconnect')
      await connection.connector.disconnect()
    },
    /** Asks the chain through the wallet. @throws when the wallet is on another chain */
    ask: (method: string, params: readonly unknown[]): Promise<unknown> =>
      config.getClient({ chainId: CHAIN_ID }).request({ method, params } as never),
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
