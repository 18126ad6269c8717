import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { stopwatch } from '../../kernel/clock.ts'
import { MOST_AT_ONCE } from './admission.ts'
import { type ClientLimits, clientLimits } from './client-limits.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '../testing/test-app.ts'
import { closed } from '../testing/raw-client.ts'

/** Far less than in production, so that a test can see each end. */
const limits: ClientLimits = {
  head_ms: 500,
  request_ms: 800,
  idle_ms: 500,
  wait_ms: 1_500,
  check_ms: 50,
  mostWaiting: 4_096,
  mostArriving: 512,
}
const FORM = 'application/x-www-form-urlencoded'
const form = `address=0x${'ab'.repeat(20)}`
const getAlive = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
const head = `POST /api/v1/auth/isRegister HTTP/1.1\r\nHost: a\r\nLANG: EN\r\nContent-Type: ${FORM}\r\nContent-Length: ${form.length}\r\n\r\n`

let webDist: string
beforeAll(async () => {
  webDist = await mkdtemp(join(tmpdir(), 'candela-web-'))
  // More than the sockets of both ends take in.
  await writeFile(join(webDist, 'large.txt'), 'x'.repeat(32 * 2 ** 20))
})
afterAll(() => rm(webDist, { recursive: true, force: true }))

const servers: TestApp[] = []
const sockets: Socket[] = []
const dribbling: NodeJS.Timeout[] = []
afterEach(async () => {
  for (const timer of dribbling.splice(0)) clearInterval(timer)
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const { app } of servers.splice(0)) await app.close()
})

type Running = { server: TestApp; port: number; calls: () => number; open: () => Promise<number> }

async function start(options: TestAppOptions = {}): Promise<Running> {
  let calls = 0
  const handlers = { 'POST auth/isRegister': () => Promise.resolve(((calls += 1), { isRegister: true })) }
  const server = await createTestApp({ limits, webDist, handlers, rateLimitScale: 10_000, ...options })
  servers.push(server)
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo
  const connections = promisify((done: (error: Error | null, count: number) => void) =>
    server.app.server.getConnections(done),
  )
  return { server, port, calls: () => calls, open: () => connections() }
}

type Client = { socket: Socket; heard: () => string; ended: Promise<number> }

/** A connection on which these bytes go out at once and those one at a time. `ended` is after how many milliseconds. */
function open(port: number, atOnce = '', slowly = ''): Client {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  const elapsed_ms = stopwatch()
  let heard = ''
  socket.on('data', (bytes: Buffer) => (heard += bytes.toString('latin1')))
  socket.on('error', () => undefined)
  socket.write(atOnce)
  if (slowly !== '') dribble(socket, slowly)
  return { socket, heard: () => heard, ended: closed(socket).then(elapsed_ms) }
}

function dribble(socket: Socket, text: string): void {
  let sent = 0
  dribbling.push(
    setInterval(() => {
      if (socket.writable && sent < text.length) socket.write(text.charAt(sent++))
    }, 20),
  )
}

/** Connects, asks, and never reads: what the kernels do not take in stays with the server. */
function askAndLeave(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.pause()
  socket.write('GET /large.txt HTTP/1.1\r\nHost: a\r\n\r\n')
  return socket
}

/** A whole request of somebody with nothing wrong; gives how long it took. */
async function askNormally(port: number): Promise<number> {
  const elapsed_ms = stopwatch()
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/auth/isRegister`, {
    method: 'POST',
    headers: { 'content-type': FORM },
    body: form,
  })
  expect([response.status, await response.json()]).toMatchObject([200, { code: 200, data: { isRegister: true } }])
  return elapsed_ms()
}

/** Nothing but the limit under test ends anything. */
const patient = { ...limits, head_ms: 60_000, request_ms: 60_000, idle_ms: 60_000, wait_ms: 120_000 }

test('a head that comes byte by byte is given up', async () => {
  const { port } = await start({ limits: { ...patient, head_ms: limits.head_ms } })
  const { ended, heard } = open(port, '', `GET /healthz HTTP/1.1\r\nHost: a\r\n${'X-Slow: yes\r\n'.repeat(99)}`)
  expect(await ended).toBeLessThan(2_000)
  expect(heard()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
})

test('a body that comes byte by byte is given up, in the caller’s language and without a call', async () => {
  const { port, calls } = await start({ limits: { ...patient, request_ms: limits.request_ms, head_ms: 600 } })
  const { ended, heard } = open(port, head, form.slice(0, -1))
  expect(await ended).toBeLessThan(2_200)
  expect(heard()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  const body = JSON.parse(heard().split('\r\n\r\n')[1] ?? '') as unknown
  expect(body).toMatchObject({ code: 400, message: expect.stringContaining('not accepted') as string, data: null })
  expect(calls()).toBe(0)
})

test('a connection that says nothing is ended, and so is one that says nothing more', async () => {
  const { port } = await start({ limits: { ...patient, head_ms: limits.head_ms, idle_ms: limits.idle_ms } })
  const silent = open(port)
  const used = open(port, getAlive)
  expect(await silent.ended).toBeLessThan(2_000)
  // Node waits a second longer than it says, for requests that are on their way.
  expect(await used.ended).toBeLessThan(limits.idle_ms + 2_000)
  expect(used.heard()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('an answer that is not taken, or taken in sips, is given up', async () => {
  const { port, open: count } = await start({ limits: { ...patient, wait_ms: limits.wait_ms } })
  askAndLeave(port)
  const sipping = askAndLeave(port)
  dribbling.push(setInterval(() => sipping.read(1_000), 20))
  const elapsed_ms = stopwatch()
  await expect.poll(count).toBe(2)
  await expect.poll(count, { timeout: 4_000 }).toBe(0)
  expect(elapsed_ms()).toBeGreaterThan(limits.wait_ms - limits.check_ms)
})

test('eight hundred slow ones of every kind keep nobody waiting, and are gone after a while', async () => {
  const long = { ...limits, head_ms: 2_000, request_ms: 2_500, wait_ms: 2_500 }
  const { port, open: count, calls } = await start({ limits: long })
  for (let nth = 0; nth < 200; nth++) {
    open(port)
    open(port, '', `GET /healthz HTTP/1.1\r\n${'X-Slow: yes\r\n'.repeat(99)}`)
    open(port, head, form.slice(0, -1))
    // One after the other: all at once are more than a kernel lets wait.
    await once(askAndLeave(port), 'connect')
  }
  await expect.poll(count).toBeGreaterThan(700)
  const took: number[] = []
  for (let nth = 0; nth < 40; nth++) took.push(await askNormally(port))
  expect(calls()).toBe(40)
  // The processor is shared with eight hundred clients here; alone it takes a few milliseconds.
  expect(took.toSorted((a, b) => a - b)[36]).toBeLessThan(250)
  // All but the one that fetch keeps.
  await expect.poll(count, { timeout: 6_000 }).toBeLessThan(2)
})

test('who takes an answer slowly takes nobody’s place', async () => {
  const { port, open: count } = await start()
  for (let nth = 0; nth < MOST_AT_ONCE + 10; nth++) askAndLeave(port)
  await expect.poll(count).toBe(MOST_AT_ONCE + 10)
  await askNormally(port)
})

test('when there is no room left, whoever has kept us waiting for longest goes first', async () => {
  const { server, port, open: count } = await start({ limits: { ...patient, mostWaiting: 20, mostArriving: 5 } })
  const silent = Array.from({ length: 25 }, () => open(port))
  await Promise.all(silent.slice(0, 5).map(({ ended }) => ended))
  expect(await count()).toBe(20)
  await askNormally(port)
  const bodies = Array.from({ length: 8 }, () => open(port, head, 'a'))
  await Promise.all(bodies.slice(0, 3).map(({ ended }) => ended))
  await askNormally(port)
  expect(await count()).toBeLessThanOrEqual(21)
  const last = bodies.at(-1)
  last?.socket.write(form.slice(1))
  await expect.poll(() => last?.heard()).toMatch(/^HTTP\/1\.1 200 OK/)
  // The operator can see it: the normal request was a sixth body for a moment, and the last one is complete.
  const figures = await server.metrics.text()
  expect(figures).toMatch(/^candela_http_bodies_arriving 3$/m)
  expect(Number(/^candela_http_cut_off (\d+)$/m.exec(figures)?.[1])).toBeGreaterThanOrEqual(8)
})

test('nobody slow keeps a server from closing', async () => {
  const { server, port, open: count } = await start({ limits: { ...clientLimits, check_ms: 50 } })
  open(port)
  open(port, 'GET /healthz HTTP/1.1\r\nX-Slow: ')
  open(port, head, form.slice(0, -1))
  open(port, getAlive)
  askAndLeave(port)
  await expect.poll(count).toBe(5)
  const elapsed_ms = stopwatch()
  await server.app.close()
  expect(elapsed_ms()).toBeLessThan(1_000)
})

test('in production the limits are those, and each has an end', () => {
  expect(clientLimits.head_ms).toBeLessThanOrEqual(clientLimits.request_ms)
  for (const limit of Object.values(clientLimits)) expect(limit).toBeGreaterThan(0)
  expect(clientLimits.request_ms).toBeLessThanOrEqual(30_000)
  // Longer than proxies keep theirs, and shorter than anything may take at all.
  expect(clientLimits.idle_ms).toBeGreaterThan(60_000)
  expect(clientLimits.wait_ms).toBeGreaterThan(clientLimits.idle_ms + 1_000)
})
