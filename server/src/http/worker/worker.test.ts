import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { silentLog } from '../../kernel/log.ts'
import type { Dispatch } from '../../api/dispatch.ts'
import { createMetrics, type Metrics } from '../../api/metrics.ts'
import { batchedSender, type HttpWorkerSettings } from './messages.ts'
import { type HttpWorker, startHttpWorker } from './start.ts'

const settings: HttpWorkerSettings = {
  host: '127.0.0.1',
  port: 0,
  rateLimitScale: 1,
  envelopeOnly: false,
  trustProxy: false,
  webDist: undefined,
  publicOrigin: 'http://127.0.0.1:8210',
  connectOrigins: [],
  apiOrigin: undefined,
  imageOrigins: [],
  inlineHashes: { scripts: [], styles: [] },
  clockOffsetFile: undefined,
  redisUrl: undefined,
}

const echo: Dispatch = async (key, rawInput, caller) => ({ code: 200, message: key, data: { rawInput, caller } })

const withRandomDelay: Dispatch = async (...call) => {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
  return echo(...call)
}

const readiness = async () => ({ ready: true, parts: { database: { ok: true } } })

const started: HttpWorker[] = []
afterEach(() => Promise.all(started.splice(0).map((thread) => thread.stop())))

function start(changes: Partial<HttpWorkerSettings> = {}): HttpWorker {
  const thread = startHttpWorker({ ...settings, ...changes })
  started.push(thread)
  return thread
}

async function listen(thread: HttpWorker, dispatch: Dispatch = echo): Promise<{ url: string; metrics: Metrics }> {
  const metrics = createMetrics({ processMetrics: false })
  const port = await thread.listen({ dispatch, readiness, metrics, log: silentLog(), onRedis: () => undefined })
  return { url: `http://127.0.0.1:${port}`, metrics }
}

test('a call reaches the main thread with its input and its caller, and its answer comes back', async () => {
  const { url } = await listen(start())
  const headers = { lang: 'EN', authorization: 'T'.repeat(43), 'user-agent': 'a browser' }
  const body = new URLSearchParams({ address: '0xab', __proto__x: 'y' })
  const response = await fetch(`${url}/api/v1/auth/isRegister`, { method: 'POST', headers, body })
  expect(await response.json()).toEqual({
    code: 200,
    message: 'POST auth/isRegister',
    data: {
      rawInput: { address: '0xab', __proto__x: 'y' },
      caller: { lang: 'en', token: 'T'.repeat(43), clientAddress: '127.0.0.1', userAgent: 'a browser' },
    },
  })
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ ready: true, parts: { database: { ok: true } } })
})

test('many calls at once each get their own answer', async () => {
  const { url } = await listen(start(), withRandomDelay)
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_none, nth) => {
      const response = await fetch(`${url}/api/v1/power/day?nth=${nth}`)
      return ((await response.json()) as { data: { rawInput: { nth: string } } }).data.rawInput.nth
    }),
  )
  expect(answers).toEqual(answers.map((_answer, nth) => String(nth)))
})

test('its figures can be read from the main thread', async () => {
  const { url, metrics } = await listen(start())
  const refused = await fetch(`${url}/api/v1/gateway`, { method: 'POST', body: new URLSearchParams({ data: 'x' }) })
  expect(refused.status).toBe(400)
  await expect.poll(() => metrics.text()).toContain('candela_bad_envelopes_total 1')
  expect(await metrics.text()).toMatch(/candela_http_connections [1-9]/)
})

test('it answers what is under way before it ends, and then does not listen any more', async () => {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const thread = start()
  const { url } = await listen(thread, async (...call) => {
    begun.resolve()
    await gate.promise
    return echo(...call)
  })
  const answer = fetch(`${url}/api/v1/power/day`)
  await begun.promise
  const stopped = thread.stop()
  setTimeout(() => gate.resolve(), 100)
  expect((await answer).status).toBe(200)
  await stopped
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
})

test('it ends when it is stopped before it listens', async () => {
  await start().stop()
})

test('a port that is taken is reported with its code and number', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  try {
    await expect(listen(start({ port }))).rejects.toMatchObject({ code: 'EADDRINUSE', port })
  } finally {
    other.close()
  }
})

test('settings that it cannot work with end it, and the error is reported', async () => {
  const thread = start({ trustProxy: ['no address'] })
  await expect(listen(thread)).rejects.toThrow(/no address/)
  await expect(thread.failed).rejects.toThrow(/no address/)
})

test('the items of one turn of the event loop travel in one message', async () => {
  const sent: number[][] = []
  const send = batchedSender<number>((items) => sent.push(items))
  send(1)
  send(2)
  await new Promise((resolve) => setImmediate(resolve))
  send(3)
  await new Promise((resolve) => setImmediate(resolve))
  expect(sent.map((items) => items.length)).toEqual([2, 1])
})
