import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { stopwatch } from '../../kernel/clock.ts'
import { memoryInUse } from '../testing/memory-in-use.ts'
import { closed } from '../testing/raw-client.ts'
import { createTestApp, listen, type TestApp, type TestAppOptions } from '../testing/test-app.ts'
import { MAX_UNANSWERED } from '../http-server.ts'
import { MAX_UNDER_WAY } from './admission.ts'
import { type ClientLimits, clientLimits } from './client-limits.ts'

const HOUR_MS = 3_600_000

/** Longer than any test runs: if something is ended, then by the one limit that a test shortens. */
const patient: ClientLimits = {
  head_ms: HOUR_MS,
  request_ms: HOUR_MS,
  idle_ms: HOUR_MS,
  answer_ms: HOUR_MS,
  check_ms: 50,
  close_ms: HOUR_MS,
  maxConnections: 4_096,
}
const FORM = 'application/x-www-form-urlencoded'
const form = `address=0x${'ab'.repeat(20)}`
const getAlive = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
const longHead = `GET /healthz HTTP/1.1\r\nHost: a\r\n${'X-Slow: yes\r\n'.repeat(99)}`
const head = `POST /api/v1/auth/isRegister HTTP/1.1\r\nHost: a\r\nLANG: EN\r\nContent-Type: ${FORM}\r\nContent-Length: ${form.length}\r\n\r\n`

let webDist: string
beforeAll(async () => {
  webDist = await mkdtemp(join(tmpdir(), 'candela-web-'))
  // More than the sockets of both ends take in.
  await writeFile(join(webDist, 'large.txt'), 'x'.repeat(16 * 2 ** 20))
})
afterAll(() => rm(webDist, { recursive: true, force: true }))

const servers: TestApp[] = []
const sockets: Socket[] = []
const intervals: NodeJS.Timeout[] = []
afterEach(async () => {
  for (const interval of intervals.splice(0)) clearInterval(interval)
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const { app } of servers.splice(0)) await app.close()
})

/** `accepted` and `ended` count connections since the start, as the server sees them. */
type Running = { server: TestApp; port: number; calls: () => number; accepted: () => number; ended: () => number }

async function start(limits: Partial<ClientLimits> = {}, options: TestAppOptions = {}): Promise<Running> {
  let [calls, accepted, ended] = [0, 0, 0]
  const handlers = { 'POST auth/isRegister': () => Promise.resolve(((calls += 1), { isRegister: true })) }
  const server = await createTestApp({
    limits: { ...patient, ...limits },
    webDist,
    handlers,
    rateLimitScale: 10_000,
    ...options,
  })
  servers.push(server)
  server.app.server.on('connection', (socket: Socket) => {
    accepted += 1
    socket.once('close', () => (ended += 1))
  })
  return { server, port: await listen(server), calls: () => calls, accepted: () => accepted, ended: () => ended }
}

type Client = { socket: Socket; received: () => string; ended: Promise<void> }

/** A connection on which the first text goes out at once and the second one character at a time. */
function open(port: number, atOnce = '', slowly = '', pause_ms = 20): Client {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let received = ''
  socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')))
  socket.on('error', () => undefined)
  socket.write(atOnce)
  if (slowly !== '') sendSlowly(socket, slowly, pause_ms)
  return { socket, received: () => received, ended: closed(socket) }
}

function sendSlowly(socket: Socket, text: string, pause_ms: number): void {
  let sent = 0
  intervals.push(
    setInterval(() => {
      if (socket.writable && sent < text.length) socket.write(text.charAt(sent++))
    }, pause_ms),
  )
}

/** Asks for the large file and resolves when its answer has begun; most of it is never read. */
async function askWithoutReading(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.write('GET /large.txt HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'readable')
  return socket
}

/** A whole request of a client that is not slow. */
async function askNormally(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/auth/isRegister`, {
    method: 'POST',
    headers: { 'content-type': FORM, connection: 'close' },
    body: form,
  })
  expect([response.status, await response.json()]).toMatchObject([200, { code: 200, data: { isRegister: true } }])
}

/** 200 of each kind: silent, with a slow head, with a slow body, and without taking the answer. */
async function openSlowClients(port: number): Promise<void> {
  for (let nth = 0; nth < 200; nth++) {
    open(port)
    open(port, '', longHead, 1_000)
    open(port, head, form.slice(0, -1), 1_000)
    // One after the other: all at once are more than the kernel keeps waiting.
    await askWithoutReading(port)
  }
}

test('a head that comes byte by byte is given up', async () => {
  const { port } = await start({ head_ms: 500 })
  const { ended, received } = open(port, '', longHead)
  await ended
  expect(received()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
})

test('a body that comes byte by byte is given up, in the caller’s language and without a call', async () => {
  // Node allows no longer time for the head than for the whole.
  const { port, calls } = await start({ request_ms: 800, head_ms: 800 })
  const { ended, received } = open(port, head, form.slice(0, -1))
  await ended
  expect(received()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  const body = JSON.parse(received().split('\r\n\r\n')[1] ?? '') as unknown
  expect(body).toMatchObject({ code: 400, message: expect.stringContaining('not accepted') as string, data: null })
  expect(calls()).toBe(0)
})

test('a connection without any request is ended', async () => {
  const { port, ended } = await start({ head_ms: 500 })
  await open(port).ended
  await expect.poll(ended).toBe(1)
})

test('a connection without a further request is ended', async () => {
  const { port } = await start({ idle_ms: 500 })
  const used = open(port, getAlive)
  await used.ended
  expect(used.received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('an answer that is not taken, or only a few bytes at a time, is given up', async () => {
  const { port, ended } = await start({ answer_ms: 1_500 })
  const elapsed_ms = stopwatch()
  const slow = await askWithoutReading(port)
  intervals.push(setInterval(() => slow.read(1_000), 20))
  await askWithoutReading(port)
  await expect.poll(ended).toBe(2)
  expect(elapsed_ms()).toBeGreaterThan(1_500 - patient.check_ms)
})

test('eight hundred slow clients of every kind do not keep the others from being answered', async () => {
  const { port, accepted, ended, calls } = await start()
  await openSlowClients(port)
  await expect.poll(accepted).toBe(800)
  for (let nth = 0; nth < 40; nth++) await askNormally(port)
  expect(calls()).toBe(40)
  // All slow ones are still there; each of the others closed its connection.
  expect(accepted()).toBe(840)
  await expect.poll(ended).toBe(40)
})

test('eight hundred slow clients of every kind are all given up', async () => {
  const { port, ended } = await start({ head_ms: 2_000, request_ms: 2_500, answer_ms: 2_500 })
  await openSlowClients(port)
  await expect.poll(ended).toBe(800)
  await askNormally(port)
})

test('a client that takes its answer slowly does not count as work', async () => {
  const { server, port } = await start()
  const many = await Promise.all(Array.from({ length: MAX_UNDER_WAY + 10 }, () => askWithoutReading(port)))
  expect(many.filter(({ destroyed }) => destroyed)).toEqual([])
  await askNormally(port)
  expect(await server.metrics.text()).toMatch(/^candela_http_under_way 0$/m)
})

test('connections beyond the bound are refused, until those that wait have been given up', async () => {
  const { server, port, ended } = await start({ maxConnections: 20, head_ms: 2_000 })
  const dropped: unknown[] = []
  server.app.server.on('drop', (socket) => dropped.push(socket))
  for (let nth = 0; nth < 25; nth++) open(port)
  await expect.poll(() => dropped.length).toBe(5)
  await expect.poll(ended).toBe(20)
  await askNormally(port)
})

test('slow clients do not keep a server from closing', async () => {
  const { server, port, accepted } = await start({ close_ms: 50 })
  open(port)
  open(port, 'GET /healthz HTTP/1.1\r\nX-Slow: ')
  open(port, head, form.slice(0, -1))
  open(port, getAlive)
  await askWithoutReading(port)
  await expect.poll(accepted).toBe(5)
  // No other limit ends within the time of a test.
  await server.app.close()
})

test('a closing server answers what it works on, however long that takes', async () => {
  const [begun, result] = [Promise.withResolvers<void>(), Promise.withResolvers<{ isRegister: boolean }>()]
  const handlers = { 'POST auth/isRegister': () => (begun.resolve(), result.promise) }
  const { server, port, accepted, ended } = await start({ close_ms: 50 }, { handlers })
  const asking = askNormally(port)
  await begun.promise
  open(port)
  await expect.poll(accepted).toBe(2)
  const closing = server.app.close()
  // Ten times as long as it waits for clients.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(ended()).toBe(0)
  result.resolve({ isRegister: true })
  await Promise.all([asking, closing])
})

test('in production the limits are in order, and each has an end', () => {
  expect(clientLimits.head_ms).toBeLessThanOrEqual(clientLimits.request_ms)
  for (const limit of Object.values(clientLimits)) expect(limit).toBeGreaterThan(0)
  expect(clientLimits.request_ms).toBeLessThanOrEqual(30_000)
  // Longer than proxies keep theirs, and shorter than anything may take at all.
  expect(clientLimits.idle_ms).toBeGreaterThan(60_000)
  expect(clientLimits.answer_ms).toBeGreaterThan(clientLimits.idle_ms + 1_000)
  expect(clientLimits.answer_ms).toBeLessThanOrEqual(120_000)
})

/** The size of a file, in bytes. */
const PIECES = 256 * 1024

/** Asks for the large file so many times at once, and never reads. */
function askAtOnce(port: number, times: number): Socket {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.write('GET /large.txt HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(times))
  return socket
}

/** Outside of the heap, where answers wait; with what the kernel has given to the clients, which are in this process too. */
const waitingBytes = () => memoryInUse().arrayBuffers

test('a connection with more than a few requests that are not answered is closed; as many as are allowed hold little', async () => {
  const { port, ended, accepted } = await start()
  const before = waitingBytes()
  for (let nth = 0; nth < 30; nth++) askAtOnce(port, MAX_UNANSWERED)
  await expect.poll(accepted).toBe(30)
  await askNormally(port)
  // None of them is over, and each holds some pieces of the file, not the file.
  await expect.poll(() => waitingBytes() - before).toBeLessThan(30 * MAX_UNANSWERED * PIECES)
  expect(ended()).toBe(1)
  for (let nth = 0; nth < 30; nth++) askAtOnce(port, 110)
  await expect.poll(ended).toBe(31)
  await expect.poll(() => waitingBytes() - before).toBeLessThan(30 * MAX_UNANSWERED * PIECES)
  await askNormally(port)
})
