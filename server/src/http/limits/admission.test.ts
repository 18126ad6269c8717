import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { MAX_UNDER_WAY, RETRY_AFTER_S } from './admission.ts'
import { createTestApp, listen, type TestApp } from '../testing/test-app.ts'

const FORM = 'application/x-www-form-urlencoded'
const ASK = '/api/v1/auth/isRegister'
const form = `address=0x${'ab'.repeat(20)}`

type Held = PromiseWithResolvers<{ isRegister: boolean }>

/** A server on which each call of one endpoint waits until the test lets it go. */
async function startHolding(): Promise<{ test: TestApp; url: string; port: number; held: Held[] }> {
  const held: Held[] = []
  const server = await createTestApp({
    rateLimitScale: 1_000,
    handlers: {
      'POST auth/isRegister': () => {
        const call = Promise.withResolvers<{ isRegister: boolean }>()
        held.push(call)
        return call.promise
      },
    },
  })
  opened.push({ server, held })
  const port = await listen(server)
  return { test: server, url: `http://127.0.0.1:${port}`, port, held }
}

const opened: { server: TestApp; held: Held[] }[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const { held } of opened) for (const call of held) call.resolve({ isRegister: true })
  for (const { server } of opened.splice(0)) await server.app.close()
})

const ask = (url: string, signal?: AbortSignal) =>
  fetch(`${url}${ASK}`, {
    method: 'POST',
    headers: { 'content-type': FORM, lang: 'EN' },
    body: form,
    ...(signal && { signal }),
  })

test('requests beyond the bound are refused at once in the caller’s language, and accepted again when there is room', async () => {
  const { url, held } = await startHolding()
  const leaving = new AbortController()
  const slow = Array.from({ length: MAX_UNDER_WAY }, (_, nth) => ask(url, nth < 5 ? leaving.signal : undefined))
  const ends = Promise.allSettled(slow)
  await expect.poll(() => held.length).toBe(MAX_UNDER_WAY)

  const refused = await ask(url)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, String(RETRY_AFTER_S)])
  expect(await refused.json()).toEqual({
    code: 429,
    message: `Too many requests. Try again in ${RETRY_AFTER_S} s`,
    data: null,
  })
  expect((await fetch(`${url}/healthz`)).status).toBe(200)

  const statusOfOther = async () => (await fetch(`${url}/api/v1/home/public`)).status
  expect(await statusOfOther()).toBe(503)
  held.pop()?.resolve({ isRegister: true })
  await expect.poll(statusOfOther).toBe(200)
  // A caller that hangs up makes room, too.
  leaving.abort()
  await expect.poll(statusOfOther).toBe(200)
  for (const call of held) call.resolve({ isRegister: true })
  const answered = (await ends).filter(({ status }) => status === 'fulfilled')
  expect(answered).toHaveLength(MAX_UNDER_WAY - 5)
})

test('late bodies do not count as work, and when they arrive together no more are worked on than the bound allows', async () => {
  const { url, port, held } = await startHolding()
  const late = Array.from({ length: MAX_UNDER_WAY + 40 }, () => {
    const socket = createConnection(port, '127.0.0.1')
    sockets.push(socket)
    socket.write(`POST ${ASK} HTTP/1.1\r\nHost: a\r\nContent-Type: ${FORM}\r\nContent-Length: ${form.length}\r\n\r\n`)
    socket.write(form.slice(0, -1))
    return socket
  })
  await Promise.all(late.map((socket) => once(socket, 'connect')))
  const quick = ask(url)
  await expect.poll(() => held.length).toBe(1)
  held.pop()?.resolve({ isRegister: true })
  expect((await quick).status).toBe(200)

  const statuses: string[] = []
  for (const socket of late) {
    socket.on('data', (bytes: Buffer) => statuses.push(bytes.toString('latin1').slice(9, 12)))
    socket.write(form.slice(-1))
  }
  await expect.poll(() => statuses.length).toBe(40)
  expect(new Set(statuses)).toEqual(new Set(['503']))
  await expect.poll(() => held.length).toBe(MAX_UNDER_WAY)
  for (const call of held.splice(0)) call.resolve({ isRegister: true })
  await expect.poll(() => statuses.filter((status) => status === '200').length).toBe(MAX_UNDER_WAY)
})
