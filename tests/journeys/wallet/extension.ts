/**
 * A wallet as a browser extension (MV3) with a window of its own, which can be told how to behave. What it signs and sends is done by
 * a test wallet in this process, which the extension's worker asks over HTTP; a person decides in the extension's window.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { expect } from 'vitest'
import path from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { FACT_MS } from '@candela/testing/browser/timeouts'
import { ProviderError, type TestWallet } from '@candela/testing/wallets/test-wallet'
import { runBridge, runInPage, runWindow, runWorker } from './extension-scripts.ts'

/** In what wallets differ. All false and zero is a wallet as the standards have it. */
export type Features = {
  /** Tells the page of no change. */
  noEvents: boolean
  /** Announces itself so much later than the page is loaded, in milliseconds. */
  lateMs: number
  /** `eth_chainId` as a number, or in upper case. */
  chainIdAs: 'hex' | 'number' | 'HEX'
  /** Addresses in lower case, without a checksum. */
  noChecksum: boolean
  /** Does not answer these methods at all. */
  silent: readonly string[]
  /** A window that is closed is answered by nothing, instead of a refusal. */
  closedIsSilent: boolean
  /** Throws the text alone, without code. */
  throwsTexts: boolean
  /** Names another transaction than the one that it sends. */
  otherHash: boolean
  /** Sends a payment, and then says that it has failed. */
  throwsAfterSend: boolean
  /** Refuses these methods with 4100, as wallets do that are locked or not permitted. */
  unauthorized: readonly string[]
}

export const standard: Features = {
  noEvents: false,
  lateMs: 0,
  chainIdAs: 'hex',
  noChecksum: false,
  silent: [],
  closedIsSilent: false,
  throwsTexts: false,
  otherHash: false,
  throwsAfterSend: false,
  unauthorized: [],
}

/** These methods open the window; everything else is answered at once. */
const prompts = new Set([
  'eth_requestAccounts',
  'wallet_requestPermissions',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
])

export type Plan = { kind: 'prompt'; closedIsSilent: boolean } | { kind: 'silent' } | { kind: 'answer'; answer: Answer }
export type Answer = { result: unknown } | { error: { code: number; message: string } }
type Call = { method: string; params: unknown[] }

/** A function as the text of a script that calls it. */
const script = (run: (options: never) => void, options: object) => `(${String(run)})(${JSON.stringify(options)})`

export type WalletExtension = Awaited<ReturnType<typeof makeWalletExtension>>

/** Writes the extension to a folder and answers it. `folder` is what the browser has to load. */
export async function makeWalletExtension(name: string, rdns: string) {
  let wallet: TestWallet | undefined
  let features = standard
  let waiting = 0

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = parts.length === 0 ? null : (JSON.parse(Buffer.concat(parts).toString()) as Call)
      void answer(request.url ?? '', body).then((value) => response.end(JSON.stringify(value)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(url: string, call: Call | null): Promise<unknown> {
    if (url === '/features') return features
    if (call === null) return {}
    if (url === '/decided') {
      // One of the person before may still come.
      waiting = Math.max(0, waiting - 1)
      return {}
    }
    if (url === '/plan') return await planFor(call)
    return await perform(call)
  }

  async function planFor(call: Call): Promise<Plan> {
    if (features.silent.includes(call.method)) return { kind: 'silent' }
    if (!prompts.has(call.method) || features.unauthorized.includes(call.method))
      return { kind: 'answer', answer: await perform(call) }
    // Like MetaMask: one request for accounts at a time.
    if (waiting > 0 && (call.method === 'eth_requestAccounts' || call.method === 'wallet_requestPermissions'))
      return { kind: 'answer', answer: { error: { code: -32_002, message: 'Request already pending' } } }
    waiting += 1
    return { kind: 'prompt', closedIsSilent: features.closedIsSilent }
  }

  async function perform({ method, params }: Call): Promise<Answer> {
    try {
      if (wallet === undefined) throw new ProviderError(-32_603, 'There is no wallet in the extension')
      if (features.unauthorized.includes(method)) throw new ProviderError(4100, 'Not authorized')
      const result = await wallet.request(method, params)
      if (method === 'eth_sendTransaction' && features.throwsAfterSend)
        throw new ProviderError(-32_603, 'Internal JSON-RPC error.')
      return { result: asFeatured(method, result) }
    } catch (error) {
      const code = error instanceof ProviderError ? error.code : -32_603
      return { error: { code, message: error instanceof Error ? error.message : String(error) } }
    }
  }

  function asFeatured(method: string, result: unknown): unknown {
    if (method === 'eth_chainId' && features.chainIdAs === 'number') return Number(result)
    if (method === 'eth_chainId' && features.chainIdAs === 'HEX') return String(result).toUpperCase()
    if (features.noChecksum && (method === 'eth_accounts' || method === 'eth_requestAccounts'))
      return (result as string[]).map((address) => address.toLowerCase())
    if (method === 'eth_sendTransaction' && features.otherHash) return `0x${'ab'.repeat(32)}`
    return result
  }

  const folder = await mkdtemp(path.join(tmpdir(), 'candela-extension-'))
  const manifest = {
    manifest_version: 3,
    name,
    version: '1.0.0',
    permissions: [],
    host_permissions: ['http://127.0.0.1/*'],
    background: { service_worker: 'worker.js' },
    content_scripts: [
      { matches: ['http://127.0.0.1/*'], js: ['page.js'], run_at: 'document_start', world: 'MAIN' },
      { matches: ['http://127.0.0.1/*'], js: ['bridge.js'], run_at: 'document_start' },
    ],
  }
  await mkdir(folder, { recursive: true })
  const files: Record<string, string> = {
    'manifest.json': JSON.stringify(manifest),
    'worker.js': script(runWorker, { origin }),
    'page.js': script(runInPage, { name, rdns }),
    'bridge.js': script(runBridge, { rdns }),
    'window.js': script(runWindow, {}),
    'window.html':
      '<!doctype html><title>Wallet</title><pre id="what"></pre><button id="yes">Confirm</button><button id="no">Reject</button><script src="window.js"></script>',
  }
  await Promise.all(Object.entries(files).map(([file, text]) => writeFile(path.join(folder, file), text)))

  return {
    folder,
    name,
    /** Puts somebody's wallet into it, with the ways that it has. Events of the wallet reach the pages of the context. */
    use(context: BrowserContext, next: TestWallet, change: Partial<Features> = {}): void {
      wallet = next
      features = { ...standard, ...change }
      waiting = 0
      next.listen((event, value) => {
        if (wallet === next && !features.noEvents) void emit(context, event, value)
      })
    },
    /** Changes its ways from now on. */
    become: (change: Partial<Features>): void => void (features = { ...features, ...change }),
    /** Waits until the wallet knows that nothing it asked is open: its window goes a moment before. */
    untilNothingWaits: () => expect.poll(() => waiting).toBe(0),
    async close() {
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    },
  }

  /** A page that is being reloaded just then misses the event, as with real wallets. */
  async function emit(context: BrowserContext, event: string, value: unknown): Promise<void> {
    const message = { candela: rdns, to: 'page', event, value }
    for (const page of context.pages().filter((each) => !isWalletWindow(each)))
      await page
        .evaluate((data) => (globalThis as unknown as PageGlobal).postMessage(data, '*'), message)
        .catch(() => undefined)
  }
}

type PageGlobal = { postMessage(message: unknown, to: string): void }

const isWalletWindow = (page: Page) => page.url().endsWith('/window.html') || page.url().includes('/window.html?')

/** The wallet's windows that are open, oldest first. */
export const walletWindows = (context: BrowserContext): Page[] => context.pages().filter(isWalletWindow)

/** Waits for the window that asks for a method. */
export async function walletWindow(context: BrowserContext, method: string): Promise<Page> {
  const until = Date.now() + FACT_MS
  while (Date.now() < until) {
    for (const page of walletWindows(context)) {
      const said = await page
        .locator('#what')
        .textContent({ timeout: 1_000 })
        .catch(() => '')
      if (said?.startsWith(`${method}\n`) === true) return page
    }
    await new Promise((next) => setTimeout(next, 50))
  }
  throw new Error(`The wallet has opened no window for ${method}`)
}

/** Does what the person does in the window that asks for a method. */
export async function decide(
  context: BrowserContext,
  method: string,
  how: 'Confirm' | 'Reject' | 'close',
): Promise<void> {
  const window = await walletWindow(context, method)
  const closed = window.waitForEvent('close')
  if (how === 'close') await window.close()
  else {
    const click = window.getByRole('button', { name: how }).click()
    // The wallet closes its window at the click, at times before the browser has confirmed the click: the click is then an error.
    await Promise.any([click, closed])
  }
  await closed
}
