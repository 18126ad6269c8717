import { freePort } from '@candela/testing/process/ports'
import { sealForm } from '@candela/protocol/envelope/testing-envelope'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environmentOf, Server } from '@candela/testing/server/server-process'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { needsRedis, TestRedis } from '@candela/testing/redis/redis'

/** Two server processes on one database and one Redis, which is killed, paused and started again. */

/** Sign-ins of one address: so many at once, and one a second after that. */
const BURST = 60

let chain: TestChain
let database: TestDatabase
let redis: TestRedis
let servers: [Api, Api]

describe('two servers with a Redis', needsRedis, () => {
  beforeAll(async () => {
    ;[chain, database, redis] = await Promise.all([startTestChain(), createTestDatabase(), TestRedis.start()])
    const env = await environmentOf(chain, database)
    servers = [await startApi(env), await startApi(env)]
  })
  afterAll(async () => {
    for (const { server } of servers ?? []) await server.end('SIGKILL')
    await redis?.[Symbol.asyncDispose]()
    await chain?.stop()
    await database?.drop()
  })

  test('one limit is shared by both, whichever a client asks', async () => {
    const began_ms = performance.now()
    const client = '198.51.100.1'
    const seen: number[] = []
    for (let sent = 0; sent < 2 * BURST; sent++) seen.push(await signInAt(sent % 2 === 0 ? 0 : 1, client))
    const allowed = seen.filter((code) => code === 200).length
    expect(seen.filter((code) => code === 429).length).toBe(2 * BURST - allowed)
    expect(allowed).toBeGreaterThanOrEqual(BURST)
    // The bound has what came back meanwhile, and what one server alone decided because this machine was busy.
    const unshared = (await metric(0, 'unshared_limits_total')) + (await metric(1, 'unshared_limits_total'))
    expect(allowed).toBeLessThanOrEqual(BURST + (performance.now() - began_ms) / 1000 + unshared)
    expect(await signInAt(1, '198.51.100.2')).toBe(200)
  })

  test('an envelope that one has accepted is refused by the other', async () => {
    await expect.poll(() => postToBoth(0, 1)).toEqual([200, 400])
    await expect.poll(() => postToBoth(1, 0)).toEqual([200, 400])
  })

  test('without Redis calls go on by the limits of each server, envelopes are refused, and both are counted; with it all is well again', async () => {
    await redis.kill()
    await expect
      .poll(() => Promise.all([metric(0, 'redis_unreachable'), metric(1, 'redis_unreachable')]))
      .toEqual([2, 2])
    const limits = await metric(0, 'unshared_limits_total')
    const envelopes = await metric(0, 'unchecked_envelopes_total')
    await expect.poll(() => eventsOf(0)['redis.not-reached']).toBeGreaterThanOrEqual(2)
    const events = eventsOf(0)
    for (const nth of [0, 1] as const) {
      const seen: number[] = []
      for (let sent = 0; sent < 2 * BURST; sent++) seen.push(await signInAt(nth, '198.51.100.3'))
      // Each alone lets through what both together did before, and no more.
      expect(seen.slice(0, BURST)).toEqual(Array.from({ length: BURST }, () => 200))
      expect(seen).toContain(429)
      expect(await post(nth, seal())).toBe(503)
    }
    expect(await metric(0, 'unshared_limits_total')).toBeGreaterThanOrEqual(limits + BURST)
    expect(await metric(0, 'unchecked_envelopes_total')).toBe(envelopes + 1)
    // Said once for each of its two connections, not for each call.
    expect(eventsOf(0)).toEqual(events)

    await redis.start()
    await expect.poll(() => Promise.all([post(0, seal()), post(1, seal())])).toEqual([200, 200])
    await expect.poll(() => metric(0, 'redis_unreachable')).toBe(0)
    await expect.poll(() => postToBoth(1, 0)).toEqual([200, 400])
    await expect.poll(() => eventsOf(0)['redis.reached']).toBeGreaterThanOrEqual(events['redis.reached'] + 2)
  })

  test('a Redis that is silent holds up no call, and is used again when it answers', async () => {
    redis.pause()
    // Answered while it is still silent.
    expect(await signInAt(0, '198.51.100.4')).toBe(200)
    expect(await post(0, seal())).toBe(503)
    await expect.poll(() => metric(0, 'redis_unreachable')).toBe(2)
    const began_ms = performance.now()
    for (let sent = 0; sent < 20; sent++) expect(await post(0, seal())).toBe(503)
    expect(performance.now() - began_ms).toBeLessThan(2_000)
    redis.resume()
    await expect.poll(() => post(0, seal())).toBe(200)
    await expect.poll(() => metric(0, 'redis_unreachable')).toBe(0)
  })

  test('a server ends within its time while Redis is silent', async () => {
    redis.pause()
    const [{ server }] = servers
    await server.end('SIGTERM')
    expect(await server.exited).toBe(0)
    expect(server.output).toContain('"server.stopped"')
    redis.resume()
  })
})

type Api = { server: Server; base: string; metrics: string }

async function startApi(env: Record<string, string>): Promise<Api> {
  const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())]
  const settings = { ROLE: 'api', PORT, METRICS_PORT, REDIS_URL: redis.url, TRUST_PROXY: '127.0.0.1' }
  const server = new Server({ ...env, ...settings, LOG_LEVEL: 'info' })
  await server.listening
  expect(server.output).toContain('"listening"')
  return { server, base: `http://127.0.0.1:${PORT}`, metrics: `http://127.0.0.1:${METRICS_PORT}/metrics` }
}

/** Asks for a login message, as a client of this address. Resolves to the code. */
async function signInAt(nth: 0 | 1, client: string): Promise<number> {
  const url = `${servers[nth].base}/api/v1/auth/loginMessage?address=0x${'ab'.repeat(20)}`
  const response = await fetch(url, { headers: { 'x-forwarded-for': client } })
  return ((await response.json()) as { code: number }).code
}

const seal = () => sealForm({ method: 'GET', url: '/api/v1/home/public' }, Date.now())

/** Resolves to the status. */
async function post(nth: 0 | 1, form: Record<string, string>): Promise<number> {
  const { status } = await fetch(`${servers[nth].base}/api/v1/gateway`, {
    method: 'POST',
    body: new URLSearchParams(form),
  })
  return status
}

/** The same envelope to one, then to the other. */
async function postToBoth(one: 0 | 1, other: 0 | 1): Promise<number[]> {
  const form = seal()
  return [await post(one, form), await post(other, form)]
}

async function metric(nth: 0 | 1, name: string): Promise<number> {
  const text = await (await fetch(servers[nth].metrics)).text()
  return Number(new RegExp(`^candela_${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** How often the server has logged that Redis answers, and that it does not. */
function eventsOf(nth: 0 | 1) {
  const { output } = servers[nth].server
  const count = (event: string) => output.split(`"event":"${event}"`).length - 1
  return { 'redis.reached': count('redis.reached'), 'redis.not-reached': count('redis.not-reached') }
}
