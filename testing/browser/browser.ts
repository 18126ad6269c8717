import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { findProgram } from '../process/debian-programs.ts'
import { findChromium } from './find-chromium.ts'
import { FACT_MS } from './timeouts.ts'

/** Flags for a Chromium that talks to this machine only, also as root in a container. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type RunningBrowser = { browser: Browser; close: () => Promise<void> }

/** An installed Chromium with extensions and the windows that they open, from their unpacked folders, with a profile of its own. */
export async function startBrowserWithExtensions(folders: readonly string[]): Promise<{
  context: BrowserContext
  close: () => Promise<void>
}> {
  const home = await mkdtemp(path.join(tmpdir(), 'candela-browser-'))
  const list = folders.join(',')
  const context = await chromium.launchPersistentContext(path.join(home, 'profile'), {
    executablePath: findProgram('chromium') ?? 'chromium',
    // Playwright takes the headless mode without windows, and leaves extensions out, unless it is told.
    ignoreDefaultArgs: ['--headless', '--disable-extensions'],
    args: [
      ...flags.filter((flag) => flag !== '--headless'),
      '--headless=new',
      '--disable-features=DisableLoadExtensionCommandLineSwitch',
      `--disable-extensions-except=${list}`,
      `--load-extension=${list}`,
    ],
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    handleSIGHUP: false,
    timeout: FACT_MS,
  })
  return {
    context,
    async close() {
      await context.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Starts Chromium with a home of its own, so that nothing of it stays behind. The port is for tools such as Lighthouse. */
export async function startBrowser({ debuggingPort }: { debuggingPort?: number } = {}): Promise<RunningBrowser> {
  const executablePath = await findChromium()
  const home = await mkdtemp(path.join(tmpdir(), 'candela-browser-'))
  const browser = await chromium.launch({
    executablePath,
    args: debuggingPort === undefined ? flags : [...flags, `--remote-debugging-port=${debuggingPort}`],
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
    handleSIGHUP: false,
    timeout: FACT_MS,
  })
  return {
    browser,
    async close() {
      await browser.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** The browser's own profile, in which tools open their pages that reach it by its port. Close it to let go of it. */
export async function openOwnProfile(debuggingPort: number): Promise<{ context: BrowserContext } & AsyncDisposable> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${debuggingPort}`)
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('The browser has no profile of its own')
  return { context, [Symbol.asyncDispose]: () => browser.close() }
}
