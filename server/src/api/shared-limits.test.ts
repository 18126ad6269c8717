import { describe, expect, test } from 'vitest'
import { needsRedis, TestRedis } from '@candela/testing/redis/redis'
import { fakeClock } from '../kernel/clock.ts'
import { redisLimits } from '../redis/open-redis.ts'
import { createRateLimits } from './rate-limits.ts'

/** Sign-ins of one address: so many at once, and one a second after that. */
const BURST = 60
const KEY = 'POST auth/login'

/** The limits of one server, whose own clock stands still: only Redis gives tokens back. */
async function startServer(place: TestRedis) {
  const { redis, changes } = await place.connect()
  const unshared = { count: 0 }
  const limits = createRateLimits(fakeClock(), { redis, onUnshared: () => (unshared.count += 1) })
  const granted = { count: 0 }
  const take = async (who = '10.0.0.1') => {
    const wait_s = await limits.takeForAddress(KEY, who)
    if (wait_s === 0) granted.count += 1
    return wait_s
  }
  const allowed = async (calls: number, who?: string) => {
    let count = 0
    for (let sent = 0; sent < calls; sent++) if ((await take(who)) === 0) count += 1
    return count
  }
  /** Calls until Redis has decided: on a busy machine it may answer too late. */
  const untilShared = async (who?: string) => {
    for (;;) {
      await expect.poll(() => changes.at(-1)).toBe(null)
      const before = unshared.count
      const wait_s = await take(who)
      if (unshared.count === before) return wait_s
    }
  }
  return { take, allowed, untilShared, granted, unshared, changes }
}

describe('limits in Redis', needsRedis, () => {
  test('are those of all servers together, and each client has its own', async () => {
    await using place = await TestRedis.start()
    const [first, second] = [await startServer(place), await startServer(place)]
    const began_ms = performance.now()
    let allowed = 0
    for (let turn = 0; turn < BURST; turn++) allowed += (await first.allowed(1)) + (await second.allowed(1))
    const returned = (performance.now() - began_ms) / 1000
    expect(allowed).toBeGreaterThanOrEqual(BURST)
    // The bound has what came back meanwhile, and what one server alone decided because this machine was busy.
    expect(allowed).toBeLessThanOrEqual(BURST + returned + first.unshared.count + second.unshared.count)
    expect(await second.take('10.0.0.2')).toBe(0)
  })

  test('take nothing of the own limit for a call that is refused', async () => {
    await using place = await TestRedis.start()
    const [first, second] = [await startServer(place), await startServer(place)]
    await first.allowed(BURST)
    const granted = await second.allowed(3 * BURST)
    await place.kill()
    expect(await second.allowed(2 * BURST)).toBe(BURST - granted)
  })

  test('are kept under names without address or account, and only until the bucket is full again', async () => {
    await using place = await TestRedis.start()
    const server = await startServer(place)
    for (let sent = 0; sent < 5; sent++) expect(await server.untilShared()).toBe(0)
    const [key = ''] = place.ask('--scan', '--pattern', 'candela:limit:*').split('\n')
    expect(key).toMatch(/^candela:limit:[\w-]{22}$/)
    const expires_ms = Number(place.ask('pttl', key))
    expect(expires_ms).toBeGreaterThan(0)
    // A second for each token; Redis may have taken one for an answer that came too late.
    expect(expires_ms).toBeLessThanOrEqual((5 + server.unshared.count) * 1_000)
    expect(Number(place.ask('memory', 'usage', key))).toBeLessThan(150)
  })

  test('after the clock of Redis was set back give nothing away, and keep nobody out for longer than an empty bucket does', async () => {
    await using place = await TestRedis.start()
    const server = await startServer(place)
    expect(await server.untilShared()).toBe(0)
    const key = place.ask('--scan', '--pattern', 'candela:limit:*')
    place.ask('set', key, String(Date.now() + 3_600_000))
    expect(await server.untilShared()).toBe(1)
    await expect.poll(() => server.take(), { interval: 200 }).toBe(0)
  })

  test('are those of each server when Redis is killed, are counted, and are shared again when it is back', async () => {
    await using place = await TestRedis.start()
    const [first, second] = [await startServer(place), await startServer(place)]
    expect(await first.allowed(BURST - 10)).toBe(BURST - 10)
    await place.kill()
    // The calls that it has let through before count here too; the other one begins with nothing.
    expect(await first.allowed(BURST)).toBe(10)
    expect(await second.allowed(2 * BURST)).toBe(BURST)
    expect(first.unshared.count).toBeGreaterThanOrEqual(10)
    expect(second.unshared.count).toBe(BURST)
    expect(first.changes.at(-1)).toEqual(expect.any(String))
    await place.start()
    await expect.poll(() => [first.changes.at(-1), second.changes.at(-1)]).toEqual([null, null])
    await second.untilShared('10.0.0.3')
    const [own, began_ms] = [first.unshared.count + second.unshared.count, performance.now()]
    const both = (await first.allowed(BURST, '10.0.0.4')) + (await second.allowed(BURST, '10.0.0.4'))
    const returned = (performance.now() - began_ms) / 1000
    expect(both).toBeLessThanOrEqual(BURST + returned + first.unshared.count + second.unshared.count - own)
  })

  test('wait for a Redis that is silent only once, and go on by themselves', async () => {
    await using place = await TestRedis.start()
    const server = await startServer(place)
    expect(await server.untilShared()).toBe(0)
    const [granted, unshared] = [server.granted.count, server.unshared.count]
    place.pause()
    const began_ms = performance.now()
    expect(await server.allowed(2 * BURST)).toBe(BURST - granted)
    // Half of what it would take if each call waited.
    expect(performance.now() - began_ms).toBeLessThan((BURST / 2) * redisLimits.token_ms)
    expect(server.unshared.count).toBe(unshared + BURST - granted)
    expect(server.changes.at(-1)).toBe(`no answer within ${redisLimits.token_ms} ms`)
    place.resume()
    await expect.poll(() => server.changes.at(-1)).toBe(null)
  })

  test('go on at a server that starts without Redis, which finds it later', async () => {
    await using place = await TestRedis.start()
    await place.kill()
    const server = await startServer(place)
    expect(server.changes).toEqual([expect.stringContaining('ECONNREFUSED')])
    expect(await server.allowed(2 * BURST)).toBe(BURST)
    await place.start()
    await expect.poll(() => server.changes.at(-1)).toBe(null)
  })

  test('are each server’s own when Redis may not use more memory', async () => {
    await using place = await TestRedis.start()
    const server = await startServer(place)
    expect(await server.allowed(3)).toBe(3)
    place.ask('config', 'set', 'maxmemory', '1')
    await expect.poll(async () => (await server.take('10.0.0.5'), server.unshared.count)).toBeGreaterThan(0)
    expect(await server.take('10.0.0.6')).toBe(0)
    place.ask('config', 'set', 'maxmemory', '0')
    await expect.poll(() => server.changes.at(-1)).toBe(null)
  })
})
