/**
 * Finds wallets by EIP-6963 announcements, and the older `window.ethereum` where nobody announces (in-app browsers).
 * Part of the first load, so it knows no library.
 */

/** An EIP-1193 provider, as far as we need to know it here. */
export type InjectedProvider = {
  request(call: { method: string; params?: unknown }): Promise<unknown>
}

export type AnnouncedWallet = {
  info: { uuid: string; name: string; icon: string; rdns: string }
  provider: InjectedProvider
}

/** Id of the wallet behind `window.ethereum`. */
export const LEGACY_ID = 'injected'

/** A wallet of this browser. `provider` is null behind `window.ethereum` while nothing was injected. */
export type BrowserWallet = { id: string; name: string; icon: string; provider: () => InjectedProvider | null }

export type WalletWindow = EventTarget & { ethereum?: unknown }

const isProvider = (value: unknown): value is InjectedProvider =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  'request' in value &&
  typeof value.request === 'function'

function isAnnouncement(detail: unknown): detail is AnnouncedWallet {
  if (typeof detail !== 'object' || detail === null || !('info' in detail) || !('provider' in detail)) return false
  const info = detail.info as Partial<AnnouncedWallet['info']> | null
  return isProvider(detail.provider) && typeof info?.rdns === 'string' && typeof info.name === 'string'
}

export type WalletDiscovery = ReturnType<typeof discoverWallets>

/** Starts listening and asks once. `onFound` runs for each new wallet. */
export function discoverWallets(page: WalletWindow, onFound: () => void) {
  const announced: (AnnouncedWallet & { id: string })[] = []
  const waiting = new Set<() => void>()
  page.addEventListener('eip6963:announceProvider', (event) => {
    const detail: unknown = 'detail' in event ? event.detail : null
    // Announced again when asked again.
    if (!isAnnouncement(detail) || announced.some(({ provider }) => provider === detail.provider)) return
    announced.push({ id: idOf(detail, announced), info: detail.info, provider: detail.provider })
    onFound()
    for (const check of waiting) check()
  })
  page.addEventListener('ethereum#initialized', () => {
    onFound()
    for (const check of waiting) check()
  })
  page.dispatchEvent(new Event('eip6963:requestProvider'))

  const legacy = (): InjectedProvider | null => (isProvider(page.ethereum) ? page.ethereum : null)
  /** Several that share one `window.ethereum`: asked as one, each of them would open its window. */
  function gathered(): typeof announced {
    const all = (legacy() as { providers?: unknown } | null)?.providers
    const several: typeof announced = []
    for (const provider of Array.isArray(all) ? all.filter(isProvider) : []) {
      const wallet = { info: { uuid: '', name: nameOf(provider), icon: '', rdns: LEGACY_ID }, provider }
      several.push({ id: idOf(wallet, several), ...wallet })
    }
    return several.length > 1 ? several : []
  }
  const found = () => announced.length > 0 || legacy() !== null

  /** Resolves as soon as `enough()` holds, at the latest after the given milliseconds. */
  const waitFor = (enough: () => boolean, timeoutMs: number): Promise<void> =>
    new Promise((resolve) => {
      const finish = () => {
        waiting.delete(check)
        clearTimeout(timer)
        resolve()
      }
      const check = () => enough() && finish()
      const timer = setTimeout(finish, timeoutMs)
      waiting.add(check)
      check()
    })

  return {
    /** True when there is any wallet to connect. */
    found,
    /** Gives wallets that are injected late a moment; an announced one is enough. */
    settle: (timeoutMs: number) => waitFor(() => announced.length > 0, timeoutMs),
    /** Waits for one wallet in particular, by its id. */
    waitForId: (id: string, timeoutMs: number) =>
      waitFor(
        () => announced.some((wallet) => hasId(wallet, id)) || (id.split(' ')[0] === LEGACY_ID && legacy() !== null),
        timeoutMs,
      ),
    /** Announced wallets; those behind `window.ethereum` only when none is, else they would be listed twice. */
    wallets: (): BrowserWallet[] => {
      const all = announced.length > 0 ? announced : gathered()
      return all.length === 0
        ? [{ id: LEGACY_ID, name: 'Wallet', icon: '', provider: legacy }]
        : all.map(({ id, info: { name, icon }, provider }) => ({ id, name, icon, provider: () => provider }))
    },
  }
}

/** From the mark by which pages tell wallets apart, as `isBitKeep`. Many call themselves MetaMask besides. */
function nameOf(provider: InjectedProvider): string {
  const marks = Object.keys(provider)
    .filter((key) => /^is[A-Z]/.test(key) && (provider as unknown as Record<string, unknown>)[key] === true)
    .map((key) => key.slice(2))
  return marks.find((mark) => mark !== 'MetaMask') ?? marks[0] ?? 'Wallet'
}

/**
 * The same for the same wallet after a reload. Wallets may share a reverse domain name, and what one says under the name of another must
 * not take its place: each then has its own id, by its own name, and after that by its turn.
 */
function idOf({ info: { rdns, name } }: AnnouncedWallet, before: readonly AnnouncedWallet[]): string {
  const same = before.filter(({ info }) => info.rdns === rdns && info.name === name).length
  return `${rdns} ${name}${same === 0 ? '' : ` ${same + 1}`}`
}

/** Whether a wallet has this id. Earlier versions kept the reverse domain name alone. */
export const hasId = (wallet: { id: string }, id: string): boolean =>
  wallet.id === id || (!id.includes(' ') && wallet.id.startsWith(`${id} `))
