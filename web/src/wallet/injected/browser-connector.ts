import { createConnector, type CreateConnectorFn } from '@wagmi/core'
import { type Address, type EIP1193Provider, getAddress, isAddress } from 'viem'
import type { BrowserWallet } from './discovery.ts'
import { WalletError } from '../errors.ts'
import { readChainId } from '../network.ts'
import { standardProvider } from './standard-provider.ts'
import { toWalletError } from '../to-wallet-error.ts'
import { answerInTime } from '../waiting.ts'

/** wagmi's connector of a wallet in this browser. wagmi's own assigns to the wallet's provider, which may be frozen. */
export const browserConnector = (wallet: BrowserWallet): CreateConnectorFn =>
  createConnector(({ emitter }) => {
    let heard: EIP1193Provider | undefined

    function provider(): EIP1193Provider {
      const found = wallet.provider()
      if (found === null) throw new WalletError('not-installed', 'Wallet not installed')
      return standardProvider(found)
    }

    function hear(spoken: EIP1193Provider): void {
      if (heard === spoken) return
      heard = spoken
      spoken.on('accountsChanged', onAccountsChanged)
      spoken.on('chainChanged', onChainChanged)
      spoken.on('disconnect', () => void onDisconnect())
    }

    /** Some wallets tell of an account in another form than a list: then they are asked. */
    function onAccountsChanged(accounts: unknown): void {
      if (!Array.isArray(accounts)) return void readAccounts(provider()).then(onAccountsChanged, () => undefined)
      const known = toAddresses(accounts)
      if (known.length === 0) emitter.emit('disconnect')
      else emitter.emit('change', { accounts: known })
    }

    /** The same of a network that is told of as something else than its number. */
    function onChainChanged(told: unknown): void {
      const chainId = typeof told === 'string' || typeof told === 'number' ? Number(told) : Number.NaN
      if (Number.isSafeInteger(chainId)) emitter.emit('change', { chainId })
      else void readChainId(provider()).then(onChainChanged, () => undefined)
    }

    /** Wallets also say so when they are restarted, or have lost their node for a moment. */
    async function onDisconnect(): Promise<void> {
      const accounts = await readAccounts(provider()).catch(() => [])
      if (accounts.length === 0) emitter.emit('disconnect')
    }

    return {
      id: wallet.id,
      name: wallet.name,
      icon: wallet.icon,
      type: 'browser',
      async connect({ isReconnecting, withCapabilities } = {}) {
        const asked = provider()
        const accounts = isReconnecting === true ? await readAccounts(asked) : await askForAccounts(asked)
        if (accounts.length === 0) throw new WalletError('no-account', 'The wallet opens no account to this page')
        hear(asked)
        return {
          accounts: (withCapabilities === true
            ? accounts.map((address) => ({ address, capabilities: {} }))
            : accounts) as never,
          chainId: await readChainId(asked),
        }
      },
      disconnect: () => Promise.resolve(),
      getAccounts: async () => readAccounts(provider()),
      getChainId: async () => readChainId(provider()),
      getProvider: () => Promise.resolve(wallet.provider() === null ? undefined : provider()),
      isAuthorized: async () => (await readAccounts(provider())).length > 0,
      onAccountsChanged: (accounts) => onAccountsChanged(accounts),
      onChainChanged: (chainId) => onChainChanged(chainId),
      onDisconnect: () => void onDisconnect(),
    }
  })

/** Wallets that have not answered a request for permissions yet. */
const waiting = new WeakSet<EIP1193Provider>()

/** Opens the wallet's window. */
async function askForAccounts(provider: EIP1193Provider): Promise<Address[]> {
  const permitted = await askForPermission(provider)
  if (permitted.length > 0) return permitted
  return toAddresses(await provider.request({ method: 'eth_requestAccounts' }))
}

/**
 * Lets the person choose among the accounts, where the wallet has this. @returns none where it has not, or where it has never answered
 */
async function askForPermission(provider: EIP1193Provider): Promise<Address[]> {
  if (waiting.has(provider)) return []
  waiting.add(provider)
  try {
    await provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] })
    return await readAccounts(provider)
  } catch (error) {
    const known = toWalletError(error, 'asking for permission')
    // Anything else means that the wallet does not have this method.
    if (known.kind === 'refused' || known.kind === 'dismissed' || known.kind === 'busy') throw known
    return []
  } finally {
    waiting.delete(provider)
  }
}

/** Reads the accounts that the wallet opens to the page; none while it is locked. @throws WalletError `silent` or `failed` */
export async function readAccounts(provider: Pick<EIP1193Provider, 'request'>): Promise<Address[]> {
  try {
    return toAddresses(await answerInTime(provider.request({ method: 'eth_accounts' })))
  } catch (error) {
    const known = toWalletError(error, 'asking for the accounts')
    if (known.kind === 'wrong-account') return []
    throw known
  }
}

/** A wallet may answer anything; what is no address is left out. */
const toAddresses = (accounts: unknown): Address[] =>
  (Array.isArray(accounts) ? (accounts as unknown[]) : [])
    .filter((account): account is string => typeof account === 'string' && isAddress(account, { strict: false }))
    .map((account) => getAddress(account))
