import { existsSync, readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { freePort } from '../process/ports.ts'
import { callText, type Engine, VIEW } from './engine.ts'
import { startProgram } from './program.ts'

/** The window of WebKitGTK's own small browser has a bar above the page, of so many pixels at most. */
const BAR = 200

/** Where Debian puts it: in a folder of the library's version. */
function miniBrowser(): string {
  const root = '/usr/lib'
  const found = readdirSync(root)
    .flatMap((folder) => (folder.endsWith('-linux-gnu') ? [path.join(root, folder)] : []))
    .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name, 'MiniBrowser')))
    .filter((file) => file.includes('webkit2gtk-') && existsSync(file))
    .toSorted()
  const last = found.at(-1)
  if (last === undefined) throw new Error('MiniBrowser is not installed (webkit2gtk-driver)')
  return last
}

/** The bar above the page would keep the window wider than a phone. */
async function narrowWindow(home: string): Promise<void> {
  for (const toolkit of ['gtk-3.0', 'gtk-4.0']) {
    await mkdir(path.join(home, toolkit))
    const style =
      'button, entry, label, image { min-width: 0; padding: 0; margin: 0; font-size: 1px; -gtk-icon-size: 1px; }'
    await writeFile(path.join(home, toolkit, 'gtk.css'), style)
  }
}

/** WebKitGTK by WebDriver, on a screen in memory. */
export async function startWebKit(): Promise<Engine> {
  const screen = await startProgram(
    'Xvfb',
    () => ['-displayfd', '1', '-screen', '0', '1280x1200x24', '-nolisten', 'tcp'],
    /^(\d+)\n/m,
  )
  const port = await freePort()
  const driver = await startProgram('WebKitWebDriver', () => [`--port=${port}`, '--host=127.0.0.1'], null, {
    env: { DISPLAY: `:${screen.said?.[1] ?? ''}`, LIBGL_ALWAYS_SOFTWARE: '1' },
    prepare: narrowWindow,
  })
  const stop = async () => {
    await driver.stop()
    await screen.stop()
  }
  try {
    return await open(`http://127.0.0.1:${port}`, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function open(driver: string, stop: () => Promise<void>): Promise<Engine> {
  await untilAnswers(`${driver}/status`)
  const options = { 'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] } }
  const session = (await post(`${driver}/session`, { capabilities: { alwaysMatch: options } })) as {
    sessionId: string
    capabilities: { browserVersion: string }
  }
  const at = `${driver}/session/${session.sessionId}`
  await post(`${at}/timeouts`, { script: 60_000, pageLoad: 120_000 })
  const run = <Args extends readonly unknown[], Result>(script: (...args: Args) => Result, ...args: Args) =>
    post(`${at}/execute/sync`, { script: `return ${callText(script, args)}`, args: [] }) as Promise<Awaited<Result>>
  await post(`${at}/window/rect`, { x: 0, y: 0, width: VIEW.width, height: VIEW.height + BAR })
  const [width, height] = await run(viewSize)
  await post(`${at}/window/rect`, {
    width: VIEW.width + VIEW.width - width,
    height: VIEW.height + BAR + VIEW.height - height,
  })
  return {
    name: 'WebKit',
    version: session.capabilities.browserVersion,
    goTo: async (url) => void (await post(`${at}/url`, { url })),
    run,
    tap: async (x, y) => {
      await post(`${at}/actions`, {
        actions: [
          {
            type: 'pointer',
            id: 'finger',
            parameters: { pointerType: 'mouse' },
            actions: [
              { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) },
              { type: 'pointerDown', button: 0 },
              { type: 'pointerUp', button: 0 },
            ],
          },
        ],
      })
    },
    type: async (text) => {
      const actions = Array.from(text).flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ])
      await post(`${at}/actions`, { actions: [{ type: 'key', id: 'keys', actions }] })
    },
    picture: async () => Buffer.from((await get(`${at}/screenshot`)) as string, 'base64'),
    async close() {
      await fetch(at, { method: 'DELETE' }).catch(() => undefined)
      await stop()
    },
  }
}

/** Runs in the page. */
function viewSize(): [number, number] {
  const { innerWidth, innerHeight } = globalThis as unknown as { innerWidth: number; innerHeight: number }
  return [innerWidth, innerHeight]
}

async function untilAnswers(url: string): Promise<void> {
  for (;;)
    try {
      await fetch(url)
      return
    } catch {
      await new Promise((next) => setTimeout(next, 100))
    }
}

const get = async (url: string): Promise<unknown> => valueOf(await fetch(url))
const post = async (url: string, body: object): Promise<unknown> =>
  valueOf(await fetch(url, { method: 'POST', body: JSON.stringify(body) }))

async function valueOf(answer: Response): Promise<unknown> {
  const { value } = (await answer.json()) as { value: unknown }
  if (!answer.ok) throw new Error(`WebDriver: ${JSON.stringify(value)}`)
  return value
}
