import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { WebSocket } from 'ws'
import { callText, type Engine, VIEW } from './engine.ts'
import { startProgram } from './program.ts'

/** Nothing of it goes anywhere but to this machine. */
const preferences = {
  'app.update.auto': false,
  'app.normandy.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage': 'about:blank',
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.getAddons.cache.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'http://127.0.0.1:9/',
  'toolkit.telemetry.enabled': false,
}

const lines = Object.entries(preferences).map(
  ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
)

/** Firefox by WebDriver BiDi, which it speaks itself, without a window. */
export async function startFirefox(): Promise<Engine> {
  const browser = await startProgram(
    'firefox-esr',
    (home) => ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0'],
    /WebDriver BiDi listening on (ws:\/\/\S+)/,
    { prepare: (home) => writeFile(path.join(home, 'user.js'), lines.join('\n')) },
  )
  try {
    return await open(`${browser.said?.[1] ?? ''}/session`, browser.stop)
  } catch (error) {
    await browser.stop()
    throw error
  }
}

type Reply = { id: number; error?: string; message?: string; result?: unknown }

async function open(url: string, stop: () => Promise<void>): Promise<Engine> {
  const socket = new WebSocket(url, { maxPayload: 64 * 1024 * 1024 })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.on('message', (data: Buffer) => {
    const reply = JSON.parse(data.toString()) as Reply
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  let lastId = 0
  const send = async <Result>(method: string, params: object): Promise<Result> => {
    const id = (lastId += 1)
    const reply = await new Promise<Reply>((resolve) => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
    if (reply.error !== undefined) throw new Error(`${method}: ${reply.error} ${reply.message ?? ''}`)
    return reply.result as Result
  }
  const { capabilities } = await send<{ capabilities: { browserVersion: string } }>('session.new', { capabilities: {} })
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
  const context = contexts[0]?.context
  await send('browsingContext.setViewport', { context, viewport: VIEW })
  return {
    name: 'Firefox',
    version: capabilities.browserVersion,
    goTo: async (to) => void (await send('browsingContext.navigate', { context, url: to, wait: 'complete' })),
    async run(script, ...args) {
      // As text, because a result of this protocol is a description of a value.
      const expression = `Promise.resolve(${callText(script, args)}).then((value) => JSON.stringify(value))`
      const { result, exceptionDetails } = await send<{
        result?: { value?: string }
        exceptionDetails?: { text: string }
      }>('script.evaluate', { expression, target: { context }, awaitPromise: true, userActivation: true })
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
      return (result?.value === undefined ? undefined : JSON.parse(result.value)) as never
    },
    tap: async (x, y) => {
      await send('input.performActions', {
        context,
        actions: [
          {
            type: 'pointer',
            id: 'finger',
            parameters: { pointerType: 'mouse' },
            actions: [
              { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
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
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] })
    },
    picture: async () =>
      Buffer.from((await send<{ data: string }>('browsingContext.captureScreenshot', { context })).data, 'base64'),
    async close() {
      socket.close()
      await stop()
    },
  }
}
