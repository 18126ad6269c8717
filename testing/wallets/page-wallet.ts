import type { BrowserContext, Page } from 'playwright-core'
import { ProviderError, type TestWallet } from './test-wallet.ts'

/** How a wallet announces itself to a page. */
export type PageWallet = {
  wallet: TestWallet
  name: string
  /** Reverse domain name of EIP-6963. */
  rdns: string
  /** False: only as `window.ethereum`, like the browser inside a wallet app. */
  announced?: boolean
}

type Answer = { result: unknown } | { error: { code: number; message: string } }
type Info = { name: string; rdns: string; announced: boolean }
type Listener = (value: unknown) => void

/** The globals that the script inside the page sees; the types of a browser are not those of this program. */
type PageGlobal = EventTarget & {
  ethereum?: unknown
  candelaAsk: (index: number, method: string, params: unknown) => Promise<Answer>
  candelaEmit?: (index: number, name: string, value: unknown) => void
}

/** Puts wallets into every page of the context, before any script of the page runs. */
export async function installWallets(context: BrowserContext, wallets: readonly PageWallet[]): Promise<void> {
  await context.exposeBinding('candelaAsk', async (_source, index: number, method: string, params: unknown[]) => {
    const wallet = wallets[index]?.wallet
    if (wallet === undefined) return { error: { code: -32_603, message: `No wallet ${index}` } } satisfies Answer
    try {
      return { result: await wallet.request(method, params) } satisfies Answer
    } catch (error) {
      const code = error instanceof ProviderError ? error.code : -32_603
      return { error: { code, message: error instanceof Error ? error.message : String(error) } } satisfies Answer
    }
  })
  const infos = wallets.map(({ name, rdns, announced = true }): Info => ({ name, rdns, announced }))
  await context.addInitScript(runInPage, infos)
  wallets.forEach(({ wallet }, index) => {
    wallet.listen((name, value) => {
      for (const page of context.pages()) void emit(page, index, name, value)
    })
  })
}

/** A page that is being reloaded just then misses the event, as with real wallets; it asks its wallet again after the load. */
const emit = (page: Page, index: number, name: string, value: unknown): Promise<void> =>
  page
    .evaluate(([at, event, data]) => (globalThis as unknown as PageGlobal).candelaEmit?.(at, event, data), [
      index,
      name,
      value,
    ] as const)
    .catch(() => undefined)

/** Runs inside the page, so it may use nothing from around it. */
function runInPage(infos: Info[]): void {
  const page = globalThis as unknown as PageGlobal
  const listeners = infos.map(() => new Map<string, Set<Listener>>())
  page.candelaEmit = (index, name, value) => listeners[index]?.get(name)?.forEach((listener) => listener(value))
  infos.forEach((info, index) => {
    const own = listeners[index]!
    const provider = {
      async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
        const answer = await page.candelaAsk(index, method, params ?? [])
        if ('result' in answer) return answer.result
        throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
      },
      on: (name: string, listener: Listener) => void own.set(name, (own.get(name) ?? new Set()).add(listener)),
      removeListener: (name: string, listener: Listener) => void own.get(name)?.delete(listener),
    }
    if (!info.announced) {
      page.ethereum = provider
      return
    }
    const icon =
      'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="teal"/></svg>'
    const uuid = `00000000-0000-4000-8000-00000000000${index}`
    const detail = { info: { uuid, icon, name: info.name, rdns: info.rdns }, provider }
    const announce = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    page.addEventListener('eip6963:requestProvider', announce)
    announce()
  })
}
