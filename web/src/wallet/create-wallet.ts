import type { DeviceStorage } from '../lib/storage.ts'
import { createStore } from '../lib/store.ts'
import type { NetworkConfig } from '@candela/protocol/chain/network'
import type { TransferTypedData } from '@candela/protocol/chain/typed-data'
import type {
  Approval,
  Call,
  ChooseWallet,
  ConnectPurpose,
  NativeTransfer,
  Recharge,
  RechargeTransaction,
  SendEvents,
  Waiting,
  WalletState,
} from './types.ts'
import type { Contracts } from './paying/contracts.ts'
import type { Connected, createEngine, WalletEngine } from './engine.ts'
import { discoverWallets, hasId, type WalletDiscovery } from './injected/discovery.ts'
import { WalletError } from './errors.ts'
import { type Pairing, REMOTE_ID, type RemoteWallets } from './remote/types.ts'
import { untilAborted } from './waiting.ts'

/** The parts of a browser that this needs, so that tests can bring their own. */
export type WalletPage = EventTarget & { ethereum?: unknown }

/** Wallets announce at once when they are there; in-app browsers inject `window.ethereum` a moment later. */
const SETTLE_MS = 300
const REAPPEAR_MS = 1_000

type Hex = `0x${string}`
type EngineModule = { createEngine: typeof createEngine }

/** The wallet of one page. Nothing but the search for announced wallets happens before the first call. */
export function createWallet(
  page: WalletPage,
  storage: DeviceStorage,
  loadEngine: () => Promise<EngineModule>,
  contracts: Contracts | null = null,
) {
  const store = createStore<WalletState>({ status: 'none', ...nobody })
  const update = (change: Partial<WalletState>) => store.set({ ...store.get(), ...change })
  const accountListeners = new Set<(address: Hex) => void>()
  const chainListeners = new Set<(chainId: number) => void>()
  const lockListeners = new Set<() => void>()
  /** The address of this page's last connection, also after the wallet was locked. */
  let lastAddress: Hex | null = null
  let discovery: WalletDiscovery | undefined
  let chooseWallet: ChooseWallet | undefined
  let remote: RemoteWallets | undefined
  /** Shown now. */
  let pairing: Pairing | null = null
  let engine: Promise<WalletEngine> | undefined
  let connecting: Promise<WalletState> | undefined
  let reconnecting: Promise<WalletState | null> | undefined

  const absence = (): Pick<WalletState, 'status'> => ({ status: discovery?.found() === true ? 'idle' : 'none' })
  const onFound = () => store.get().status === 'none' && update(absence())
  discovery = discoverWallets(page, onFound)
  onFound()

  function onChange(now: Connected | undefined) {
    const before = store.get()
    update(now === undefined ? { ...absence(), ...nobody } : { status: 'connected', ...now })
    if (now === undefined) {
      // A wallet that is locked has changed nothing yet: the same account may come back.
      if (before.status === 'connected') for (const listener of lockListeners) listener()
      return
    }
    const isAnother = lastAddress !== null && now.address !== lastAddress
    lastAddress = now.address
    // The caller of `connectWallet` checks the account itself.
    if (isAnother && before.status !== 'connecting') for (const listener of accountListeners) listener(now.address)
    if (before.status === 'connected' && now.chainId !== before.chainId)
      for (const listener of chainListeners) listener(now.chainId)
  }

  const withEngine = (): Promise<WalletEngine> =>
    (engine ??= loadEngine()
      .then((module) => module.createEngine({ onChange, wallets: () => discovery?.wallets() ?? [], remote, contracts }))
      .catch((error: unknown) => {
        // The next call tries again, because this one may have failed without a network.
        engine = undefined
        throw new WalletError('failed', 'The wallet code could not be loaded', error)
      }))

  /** The engine with a wallet connected: the one used before if it allows that, else after asking. */
  async function connectedEngine({ signal }: Waiting = {}): Promise<WalletEngine> {
    if (store.get().status !== 'connected' && (await reconnectWallet()) === null) await connectWallet({ signal })
    return await withEngine()
  }

  /** For reads, which never open a window of the wallet. */
  async function silentEngine(): Promise<WalletEngine> {
    if (store.get().status !== 'connected' && (await reconnectWallet()) === null)
      throw new WalletError('failed', 'No wallet is connected')
    return await withEngine()
  }

  /** Asks for something that opens a window of the wallet. */
  const prompt = async <T>(on: Waiting | undefined, ask: (engine: WalletEngine) => Promise<T>): Promise<T> =>
    await untilAborted(connectedEngine(on).then(ask), on?.signal)

  async function chooseId(loaded: WalletEngine, purpose: ConnectPurpose): Promise<string> {
    const options = await loaded.listWallets()
    const [first] = options
    if (first === undefined) throw new WalletError('not-installed', 'Wallet not installed')
    // A person who is signed in has chosen before.
    const last = storage.get('wallet')
    const known = options.find((option) => last !== null && hasId(option, last))
    if (purpose === 'act' && known !== undefined) return known.id
    const isOnlyOne = first.id !== REMOTE_ID && (options.length === 1 || (isRemoteNext(options) && remote?.isPhone()))
    if (isOnlyOne === true || chooseWallet === undefined) return first.id
    const id = await chooseWallet(options, purpose)
    if (id === null) throw new WalletError('not-chosen', 'No wallet was chosen')
    return id
  }

  const hasRemote = async (): Promise<boolean> => remote !== undefined && (await remote.settings()) !== null

  async function connectOnce(purpose: ConnectPurpose): Promise<WalletState> {
    await discovery?.settle(SETTLE_MS)
    if (discovery?.found() !== true && !(await hasRemote()))
      throw new WalletError('not-installed', 'Wallet not installed')
    const loaded = await withEngine()
    const id = await chooseId(loaded, purpose)
    update({ status: 'connected', ...(await loaded.connect(id)) })
    storage.set('wallet', id)
    return store.get()
  }

  async function connectWallet({ signal }: Waiting = {}, purpose: ConnectPurpose = 'sign-in'): Promise<WalletState> {
    if (store.get().status === 'connected') return store.get()
    update({ status: 'connecting' })
    const mine = (connecting ??= connectOnce(purpose))
    try {
      return await untilAborted(mine, signal)
    } finally {
      // Where the wallet is not waited for any longer, the next tap asks it anew: its window may have been closed without an answer.
      if (connecting === mine) {
        connecting = undefined
        pairing?.cancel()
        if (store.get().status === 'connecting') update({ ...absence(), ...nobody })
      }
    }
  }

  async function forgetWallet(): Promise<void> {
    const [id, { status }] = [storage.get('wallet'), store.get()]
    storage.set('wallet', null)
    lastAddress = null
    // Its end is no lock to tell of.
    update({ ...absence(), ...nobody })
    // One on another device stays connected also while this page has not taken it up.
    if (id === REMOTE_ID && status !== 'connected') await (await withEngine()).reconnect(id)
    if (engine !== undefined) await (await engine).forget()
  }

  async function checkWallet(): Promise<void> {
    if (store.get().status === 'connected') await (await withEngine()).check()
  }

  async function currentWallet(on?: Waiting): Promise<WalletState> {
    const ask = async (): Promise<WalletState> => {
      if (store.get().status === 'connected') await checkWallet()
      else await reconnectWallet()
      return await connectWallet(on, 'act')
    }
    return await untilAborted(ask(), on?.signal)
  }

  async function readChainId(): Promise<number> {
    const id = storage.get('wallet')
    if (id === null) throw new WalletError('not-installed', 'No wallet has been used yet')
    return await (await withEngine()).readChainId(id)
  }

  async function reconnectWallet(): Promise<WalletState | null> {
    if (store.get().status === 'connected') return store.get()
    reconnecting ??= reconnectOnce().finally(() => (reconnecting = undefined))
    return await reconnecting
  }

  async function reconnectOnce(): Promise<WalletState | null> {
    const id = storage.get('wallet')
    if (id === null) return null
    try {
      if (id !== REMOTE_ID) {
        await discovery?.waitForId(id, REAPPEAR_MS)
        if (discovery?.found() !== true) return null
      }
      const connected = await (await withEngine()).reconnect(id)
      if (connected === null) return null
      update({ status: 'connected', ...connected })
      return store.get()
    } catch (error) {
      // oxlint-disable-next-line no-console -- setting the wallet up fails silently for people: a click tells them more
      console.warn('The wallet used before could not be taken up', error)
      return null
    }
  }

  return {
    setChooser: (choose: ChooseWallet) => {
      chooseWallet = choose
    },
    setRemote: (wallets: RemoteWallets) => {
      remote = {
        ...wallets,
        showPairing(shown) {
          pairing = shown
          const close = wallets.showPairing(shown)
          return () => {
            pairing = null
            close()
          }
        },
      }
    },
    walletStore: { get: store.get, subscribe: store.subscribe },
    connectWallet: (on?: Waiting) => connectWallet(on),
    reconnectWallet,
    currentWallet,
    checkWallet,
    readChainId,
    signMessage: (text: string, on?: Waiting) => prompt(on, (loaded) => loaded.signMessage(text)),
    signTransfer: (data: TransferTypedData, on?: Waiting) => prompt(on, (loaded) => loaded.signTransfer(data)),
    switchNetwork: (network: NetworkConfig, on?: Waiting) => prompt(on, (loaded) => loaded.switchNetwork(network)),
    forgetWallet,
    sendRecharge: (payment: { terms: Recharge; prepared: RechargeTransaction }, on: SendEvents & Waiting) =>
      prompt(on, (loaded) => loaded.sendRecharge(payment, on)),
    sendNative: (transfer: NativeTransfer, on: SendEvents & Waiting) =>
      prompt(on, (loaded) => loaded.sendNative(transfer, on)),
    sendApproval: (approval: Approval, on: SendEvents & Waiting) =>
      prompt(on, (loaded) => loaded.sendApproval(approval, on)),
    sendCall: (call: Call) => prompt(undefined, (loaded) => loaded.sendCall(call)),
    ask: (method: string, params: readonly unknown[]) => prompt(undefined, (loaded) => loaded.ask(method, params)),
    readBalance: async (token: Hex | null, owner: Hex) => (await silentEngine()).readBalance(token, owner),
    readSentCounts: async (account: Hex) => (await silentEngine()).readSentCounts(account),
    readAllowance: async (token: Hex, owner: Hex, spender: Hex) =>
      (await silentEngine()).readAllowance(token, owner, spender),
    onAccountChange: (listener: (address: Hex) => void) => listen(accountListeners, listener),
    onChainChange: (listener: (chainId: number) => void) => listen(chainListeners, listener),
    onLock: (listener: () => void) => listen(lockListeners, listener),
  }
}

const nobody = { address: null, chainId: null, walletName: null }

/** Whether there is one wallet in this browser, and then those on other devices. */
const isRemoteNext = (options: readonly { id: string }[]): boolean => options[1]?.id === REMOTE_ID

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
