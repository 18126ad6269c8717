import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'

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

/**
 * The path of a Chromium: CHROMIUM_PATH, else one that the system has, else the one that npm brought (Linux only).
 * @throws when there is none, with what to do about it
 */
export async function findChromium(): Promise<string> {
  const wanted = process.env['CHROMIUM_PATH']
  if (wanted !== undefined && wanted !== '') {
    if (existsSync(wanted)) return wanted
    throw new Error(`CHROMIUM_PATH names ${wanted}, which does not exist`)
  }
  const found = installedPaths().find((candidate) => existsSync(candidate))
  if (found !== undefined) return found
  if (process.platform === 'linux') {
    const { default: packed } = await import('@sparticuz/chromium')
    return await packed.executablePath()
  }
  throw new Error('No Chromium was found: install Chrome or Chromium, or set CHROMIUM_PATH to one')
}

function installedPaths(): string[] {
  if (process.platform === 'darwin')
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    )
  if (process.platform === 'win32')
    return [process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']]
      .filter((folder) => folder !== undefined)
      .flatMap((folder) => [
        path.join(folder, 'Google/Chrome/Application/chrome.exe'),
        path.join(folder, 'Microsoft/Edge/Application/msedge.exe'),
      ])
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  return (process.env['PATH'] ?? '').split(':').flatMap((folder) => names.map((name) => path.join(folder, name)))
}

export type RunningBrowser = { browser: Browser; close: () => Promise<void> }

/** Starts Chromium with a home of its own, so that nothing of it stays behind. The port is for tools such as Lighthouse. */
export async function startBrowser({ debuggingPort }: { debuggingPort?: number } = {}): Promise<RunningBrowser> {
  const executablePath = await findChromium()
  const home = await mkdtemp(path.join(tmpdir(), 'candela-browser-'))
  const browser = await chromium.launch({
    executablePath,
    args: debuggingPort === undefined ? flags : [...flags, `--remote-debugging-port=${debuggingPort}`],
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
    handleSIGHUP: false,
  })
  return {
    browser,
    async close() {
      await browser.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
