import { CHAIN_ID } from '@candela/protocol/chain/network'
import type { EIP1193Provider } from 'viem'
import { WalletError } from '../errors.ts'
import { answerInTime } from '../waiting.ts'
import type { RemoteClient } from './open-client.ts'
import type { Pairing, WalletApp } from './types.ts'

type Hex = `0x${string}`
type Session = ReturnType<RemoteClient['session']['get']>
type Call = { method: string; params?: unknown }

/** The methods that such a wallet is asked; all else is a question about the chain. */
const walletMethods = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
] as const

/** Ethereum's own chain, which every wallet knows: one that does not know ours yet can connect by it and be given ours. */
const KNOWN_CHAIN_ID = 1

/** How long the relay may take before there is a code, in milliseconds: some networks let no WebSocket through, and the library tries for minutes. */
const CODE_MS = 15_000

/** How long a wallet that has agreed to a chain may take to open it to this page, in milliseconds. */
const OPEN_CHAIN_MS = 10_000

const METHOD_UNKNOWN = 4200
const CHAIN_UNKNOWN = 4902
const NOT_PERMITTED = 4100

type Options = {
  client: RemoteClient
  /** Asks a node of our chain. */
  readChain: (call: Call) => Promise<unknown>
  showPairing: (pairing: Pairing) => () => void
  onChange: (now: { accounts: readonly Hex[]; chainId: number }) => void
  onEnd: () => void
}

export type RemoteProvider = ReturnType<typeof createRemoteProvider>

/** An EIP-1193 provider over a session of WalletConnect: the wallet is asked to sign and to send, a node is asked about the chain. */
export function createRemoteProvider({ client, readChain, showPairing, onChange, onEnd }: Options) {
  let session: Session | null = newest(client.session.getAll())
  /** The account that the wallet has named last, of those that it has opened to this page; it comes first. */
  let preferred: Hex | null = null
  const listeners = new Set<() => void>()

  const chainId = (): number => (session === null ? CHAIN_ID : chainOf(session))

  function accounts(): Hex[] {
    if (session === null) return []
    const all = accountsOf(session, chainOf(session))
    return preferred !== null && all.includes(preferred)
      ? [preferred, ...all.filter((each) => each !== preferred)]
      : all
  }

  function changed(): void {
    for (const listener of listeners) listener()
    if (session !== null) onChange({ accounts: accounts(), chainId: chainId() })
  }

  function ended({ topic }: { topic: string }): void {
    if (topic !== session?.topic) return
    session = null
    preferred = null
    onEnd()
  }

  client.on('session_delete', ended)
  client.on('session_expire', ended)
  client.on('session_update', ({ topic }) => {
    if (topic !== session?.topic) return
    session = client.session.get(topic)
    changed()
  })
  client.on('session_event', ({ topic, params: { event } }) => {
    if (topic !== session?.topic || event.name !== 'accountsChanged') return
    const [first] = Array.isArray(event.data) ? (event.data as unknown[]) : []
    // With its chain before it, or without.
    preferred = typeof first === 'string' ? toAddress(first.split(':').at(-1) ?? '') : null
    changed()
  })

  /** Asks the wallet. @throws an error with a code of EIP-1193, or with one of WalletConnect */
  async function ask({ method, params }: Call): Promise<unknown> {
    if (session === null) throw coded(NOT_PERMITTED, 'No wallet is connected')
    if (!methodsOf(session).has(method)) throw coded(METHOD_UNKNOWN, `The wallet does not have ${method}`)
    return await client.request({
      topic: session.topic,
      chainId: `eip155:${chainOf(session)}`,
      request: { method, params },
    })
  }

  /** Resolves when the wallet opens an account on the chain to this page. */
  async function untilOpen(wanted: number): Promise<void> {
    const isOpen = () => session !== null && accountsOf(session, wanted).length > 0
    if (isOpen()) return
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        listeners.delete(look)
        clearTimeout(timer)
      }
      const look = () => {
        if (!isOpen()) return
        stop()
        resolve()
      }
      const timer = setTimeout(() => {
        stop()
        reject(coded(CHAIN_UNKNOWN, `The wallet does not open chain ${wanted} to this page`))
      }, OPEN_CHAIN_MS)
      listeners.add(look)
    })
  }

  async function toChain(call: Call): Promise<null> {
    const [target] = Array.isArray(call.params) ? (call.params as { chainId?: unknown }[]) : []
    const wanted = Number(target?.chainId)
    if (wanted === chainId()) return null
    await ask(call)
    await untilOpen(wanted)
    return null
  }

  async function request(call: Call): Promise<unknown> {
    const { method } = call
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return accounts()
    if (method === 'eth_chainId') return `0x${chainId().toString(16)}`
    if (method === 'wallet_switchEthereumChain' || method === 'wallet_addEthereumChain') return await toChain(call)
    return (walletMethods as readonly string[]).includes(method) ? await ask(call) : await readChain(call)
  }

  /**
   * Connects a wallet anew, in place of the one before. @throws WalletError `not-chosen` when the person wants none, `no-relay` when
   * there is no code; else what the
   * wallet or the library says
   */
  async function pair(): Promise<void> {
    const asked = client.connect({
      optionalNamespaces: {
        eip155: {
          chains: [CHAIN_ID, KNOWN_CHAIN_ID].map((id) => `eip155:${id}`),
          methods: [...walletMethods],
          events: ['accountsChanged', 'chainChanged'],
        },
      },
    })
    const { uri, approval } = await answerInTime(asked, CODE_MS).catch((error: unknown) => {
      // A code that comes later is shown to nobody.
      asked.then((late) => late.approval()).then(end, () => undefined)
      throw new WalletError('no-relay', 'The relay of WalletConnect cannot be reached', error)
    })
    const approved = approval()
    const approvedHere = await waitForWallet(uri ?? '', approved)
    const before = session
    session = approvedHere
    preferred = null
    if (before !== null) await end(before)
    if (accounts().length === 0) {
      session = null
      await end(approvedHere)
      throw new WalletError('wrong-account', 'The wallet opens no account to this page')
    }
  }

  async function waitForWallet(uri: string, approved: Promise<Session>): Promise<Session> {
    const closed = Promise.withResolvers<never>()
    const close = showPairing({
      uri,
      opens: (app) => void rememberApp(client, app),
      cancel() {
        // A wallet that agrees later has agreed to what nobody wants any longer.
        approved.then(end, () => undefined)
        closed.reject(new WalletError('not-chosen', 'The person has closed the code'))
      },
    })
    try {
      return await Promise.race([approved, closed.promise])
    } finally {
      close()
    }
  }

  /** Tells the wallet; a wallet that cannot be told forgets the session by itself after its seven days. */
  async function end({ topic }: Session): Promise<void> {
    await client.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } }).catch(() => undefined)
  }

  return {
    /** wagmi and viem ask by this alone. */
    request: request as EIP1193Provider['request'],
    accounts,
    chainId,
    pair,
    /** Ends the session, here and in the wallet. */
    async end(): Promise<void> {
      const before = session
      session = null
      preferred = null
      await rememberApp(client, null)
      if (before !== null) await end(before)
    },
  }
}

/** The session that lasts longest is the one that was made last. */
const newest = (sessions: readonly Session[]): Session | null =>
  sessions.reduce<Session | null>((best, each) => (best !== null && best.expiry >= each.expiry ? best : each), null)

/** Accounts as CAIP-10 has them, `eip155:210000:0x…`; what is none is left out, because a wallet may write anything. */
const accountsOf = ({ namespaces }: Session, chainId: number): Hex[] =>
  Object.values(namespaces)
    .flatMap(({ accounts }) => accounts)
    .filter((account) => account.startsWith(`eip155:${chainId}:`))
    .map((account) => toAddress(account.split(':').at(-1) ?? ''))
    .filter((account) => account !== null)

/** Ours where the wallet opens it to this page: each request names its chain, whichever the wallet itself shows. */
function chainOf(session: Session): number {
  if (accountsOf(session, CHAIN_ID).length > 0) return CHAIN_ID
  const [first] = Object.values(session.namespaces).flatMap(({ accounts }) => accounts)
  const chainId = Number(first?.split(':')[1])
  return Number.isSafeInteger(chainId) ? chainId : KNOWN_CHAIN_ID
}

const methodsOf = ({ namespaces }: Session): Set<string> =>
  new Set(Object.values(namespaces).flatMap(({ methods }) => methods))

const toAddress = (text: string): Hex | null => (/^0x[0-9a-fA-F]{40}$/.test(text) ? (text as Hex) : null)

const coded = (code: number, message: string): Error => Object.assign(new Error(message), { code })

/** Where the library looks, before each request, for the app that it should open. */
const APP_KEY = 'WALLETCONNECT_DEEPLINK_CHOICE'

async function rememberApp({ core }: RemoteClient, app: WalletApp | null): Promise<void> {
  try {
    await (app === null ? core.storage.removeItem(APP_KEY) : core.storage.setItem(APP_KEY, JSON.stringify(app)))
  } catch {
    // A device that keeps nothing: requests wait until the person opens the wallet.
  }
}
