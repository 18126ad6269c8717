/** One journey's browser: its own profile, its own wallets, the texts of one language, and everything that went wrong. */
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Language, languageTag } from '@candela/protocol/language'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { installWallets, type PageWallet } from '../wallets/page-wallet.ts'
import { FACT_MS } from './timeouts.ts'
import { waitUntil } from './wait-until.ts'
import { catalogs } from './web.ts'

type MessageKey = keyof typeof catalogs.tw

export type BrowserSessionOptions = {
  browser: Browser
  /** Origin of the running product. */
  origin: string
  wallets?: readonly PageWallet[]
  /** As a person has chosen it before; without it the product's default language. */
  language?: Language
  /** The browser's own name, by which people tell their devices apart. */
  userAgent?: string
  /** The size of the screen, in CSS pixels; a common phone without it. */
  size?: { width: number; height: number }
  /** A computer with a mouse, instead of a phone. */
  isDesktop?: boolean
  /** Where the device is: its zone by IANA's name, and its own language, which may count hours to twelve. */
  place?: { timeZone: string; locale: string }
  /**
   * Whether the app's service worker runs. Without it, tests see and break every request, and nothing is kept between
   * products on one port.
   */
  serviceWorker?: boolean
}

export type BrowserSession = Awaited<ReturnType<typeof openBrowserSession>>

export async function openBrowserSession({
  browser,
  origin,
  wallets = [],
  language,
  userAgent,
  size,
  isDesktop = false,
  place,
  serviceWorker = false,
}: BrowserSessionOptions) {
  const context = await browser.newContext({
    viewport: size ?? { width: 390, height: 844 },
    isMobile: !isDesktop,
    hasTouch: !isDesktop,
    locale: place?.locale ?? 'en-US',
    ...(place !== undefined && { timezoneId: place.timeZone }),
    reducedMotion: 'reduce',
    serviceWorkers: serviceWorker ? 'allow' : 'block',
    ...(userAgent !== undefined && { userAgent }),
  })
  await installWallets(context, wallets)
  return await openSessionIn(context, { origin, ...(language !== undefined && { language }) })
}

/** The same in a context that is there already, such as that of a browser with extensions. */
export async function openSessionIn(
  context: BrowserContext,
  { origin, language }: Pick<BrowserSessionOptions, 'origin' | 'language'>,
) {
  context.setDefaultTimeout(FACT_MS)
  if (language !== undefined)
    await context.addInitScript((wanted) => {
      const page = globalThis as unknown as {
        localStorage: { getItem(key: string): unknown; setItem(key: string, value: string): void }
      }
      try {
        if (page.localStorage.getItem('lang') === null) page.localStorage.setItem('lang', wanted)
      } catch {
        // An empty frame of a tool has no storage.
      }
    }, language)
  await context.addInitScript(recordToasts)
  const problems: string[] = []
  const requests: { method: string; url: string }[] = []
  listen(context, problems, requests)
  const page = await context.newPage()
  let current: Language = language ?? 'tw'

  /** A text of the product, in the language of the page. Names in braces are filled. */
  const text = (key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string =>
    catalogs[current][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

  const toasts = () => page.evaluate(() => (globalThis as unknown as PageGlobal).candelaToasts)

  return {
    page,
    problems,
    requests,
    text,
    /** Sets which language the page shows from now on. */
    setLanguage: (next: Language) => {
      current = next
    },
    languageTag: () => languageTag[current],
    open: (hash = '#/index') => page.goto(`${origin}/${hash}`),
    path: () => new URL(page.url()).hash.replace(/^#/, ''),
    /** A button of the product by its text; in a sheet when one is open, because the rest is inert then. */
    button: (key: MessageKey, within: Page | Locator = page): Locator =>
      within.getByRole('button', { name: text(key), exact: true }),
    dialog: (key: MessageKey, values: Readonly<Record<string, string>> = {}): Locator =>
      page.getByRole('dialog', { name: text(key, values), exact: true }),
    toast: (key: MessageKey): Locator => page.locator('.toast').getByText(text(key), { exact: true }),
    /** Every toast since the page was loaded, oldest first: some are gone before one can look. */
    toasts,
    /** Waits until a toast has been there, since the page was loaded, as many times. It may be gone by now. */
    waitForToast: (
      key: MessageKey,
      { times = 1, values = {} }: { times?: number; values?: Readonly<Record<string, string | number>> } = {},
    ): Promise<void> => {
      const wanted = text(key, values)
      const count = async () => (await toasts()).filter((shown) => shown === wanted).length
      return waitUntil(`the toast "${wanted}"`, async () => (await count()) >= times)
    },
    connectButton: (): Locator =>
      page.getByRole('banner').getByRole('button', { name: text('wallet.connect'), exact: true }),
    close: () => context.close(),
  }
}

type PageGlobal = {
  candelaToasts: string[]
  document: { querySelector(selector: string): { textContent: string } | null }
  MutationObserver: new (changed: () => void) => { observe(target: unknown, options: object): void }
}

/** Runs inside the page, so it may use nothing from around it. */
function recordToasts(): void {
  const page = globalThis as unknown as PageGlobal
  page.candelaToasts = []
  const look = () => {
    const text = page.document.querySelector('.toast .toast-text')?.textContent ?? ''
    if (text !== '' && text !== page.candelaToasts.at(-1)) page.candelaToasts.push(text)
  }
  new page.MutationObserver(look).observe(page.document, { subtree: true, childList: true, characterData: true })
}

/** Errors in the console, uncaught exceptions and violations of the content security policy all count. */
function listen(context: BrowserContext, problems: string[], requests: BrowserSession['requests']): void {
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => problems.push(`uncaught: ${String(error.error().stack ?? error.error())}`))
  context.on('request', (request) => requests.push({ method: request.method(), url: request.url() }))
}

/** Where screenshots of failed journeys go. */
const artefactFolder = path.join(tmpdir(), 'candela-journeys')

/** Saves what the page of a failed journey shows. @returns the file */
export async function saveScreenshot(session: BrowserSession, name: string): Promise<string> {
  await mkdir(artefactFolder, { recursive: true })
  const file = path.join(artefactFolder, `${name.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)}.png`)
  await session.page.screenshot({ path: file, timeout: 20_000 })
  return file
}
