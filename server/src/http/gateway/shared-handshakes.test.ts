import { ENVELOPE_WINDOW_MS } from '@candela/protocol/envelope/envelope'
import { sealForm, type SealedForm } from '@candela/protocol/envelope/testing-envelope'
import { describe, expect, test } from 'vitest'
import { needsRedis, TestRedis } from '@candela/testing/redis/redis'
import { fakeClock } from '../../kernel/clock.ts'
import { HANGS_AFTER_MS } from '@candela/testing/limits'
import { redisLimits } from '../../redis/open-redis.ts'
import { createTestApp } from '../testing/test-app.ts'

const inner = { method: 'GET', url: '/api/v1/home/public', headers: { LANG: 'EN' } }

/** A server with a connection to Redis of its own. Its limits are wide, so that envelopes alone decide. */
async function startServer(place: TestRedis, once_ms = HANGS_AFTER_MS) {
  const { redis, changes } = await place.connect(once_ms)
  await expect.poll(() => changes.at(-1)).toBe(null)
  const clock = fakeClock(new Date())
  const server = await createTestApp({ redis, clock, rateLimitScale: 1_000 })
  const post = async (form: SealedForm) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', lang: 'EN' }
    const payload = new URLSearchParams(form).toString()
    return server.app.inject({ method: 'POST', url: '/api/v1/gateway', headers, payload })
  }
  const seal = () => sealForm(inner, clock.now().getTime())
  const status = async (form: SealedForm) => (await post(form)).statusCode
  /** Sends new envelopes until one is accepted. */
  const untilAccepted = () => expect.poll(() => status(seal())).toBe(200)
  const unchecked = async () =>
    Number(/candela_unchecked_envelopes_total (\d+)/.exec(await server.metrics.text())?.[1] ?? 'none')
  return { ...server, post, seal, status, untilAccepted, unchecked, changes }
}

describe('envelopes of servers with a Redis', needsRedis, () => {
  test('are accepted once by all of them together', async () => {
    await using place = await TestRedis.start()
    const [first, second] = [await startServer(place), await startServer(place)]
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const form = one.seal()
      expect(await one.status(form)).toBe(200)
      expect(await other.status(form)).toBe(400)
      expect(await one.status(form)).toBe(400)
    }
    // The same holds for many at the same time.
    const form = first.seal()
    const statuses = await Promise.all([first, second, first, second].map((server) => server.status(form)))
    expect(statuses.filter((one) => one === 200)).toHaveLength(1)
    expect(statuses.filter((one) => one === 400)).toHaveLength(3)
  })

  test('leave a short key without the handshake for a little longer than each could be accepted', async () => {
    await using place = await TestRedis.start()
    const server = await startServer(place)
    for (const ahead_ms of [-ENVELOPE_WINDOW_MS, 0, ENVELOPE_WINDOW_MS]) {
      let form = server.seal()
      // The program that asks Redis holds this thread up, and with it the answers that the server waits for.
      await expect
        .poll(() => {
          place.ask('flushall')
          form = sealForm(inner, server.clock.now().getTime() + ahead_ms)
          return server.status(form)
        })
        .toBe(200)
      const [key = ''] = place.ask('--scan', '--pattern', 'candela:once:*').split('\n')
      expect(key).toMatch(/^candela:once:[\w-]{22}$/)
      expect(key).not.toContain(form.handshake)
      const kept_ms = Number(place.ask('pttl', key))
      expect(kept_ms).toBeGreaterThan(ENVELOPE_WINDOW_MS + ahead_ms)
      expect(kept_ms).toBeLessThanOrEqual(ENVELOPE_WINDOW_MS + ahead_ms + 30_000)
      expect(Number(place.ask('memory', 'usage', key))).toBeLessThan(150)
    }
  })

  test('are refused while Redis is gone: busy, counted, and not told as a bad envelope; and accepted again when it is back', async () => {
    await using place = await TestRedis.start()
    const [first, second] = [await startServer(place), await startServer(place)]
    const used = first.seal()
    expect(await first.status(used)).toBe(200)
    await place.kill()
    const refused = await first.post(first.seal())
    expect(refused.statusCode).toBe(503)
    expect(refused.json()).toEqual({ code: 429, message: 'Too many requests. Try again in 2 s', data: null })
    expect(refused.headers['retry-after']).toBe('2')
    expect(await second.status(used)).toBe(503)
    expect([await first.unchecked(), await second.unchecked()]).toEqual([1, 1])
    expect(await first.metrics.text()).toContain('candela_bad_envelopes_total 0')
    await place.start()
    await first.untilAccepted()
    await second.untilAccepted()
    // A Redis that keeps what it was told on its disk knows it again.
    const copy = first.seal()
    expect(await first.status(copy)).toBe(200)
    expect(await second.status(copy)).toBe(400)
    expect(await (await startServer(place)).status(used)).toBe(400)
  })

  test('wait for a Redis that is silent only once, and are accepted when it answers', async () => {
    await using place = await TestRedis.start()
    const server = await startServer(place, redisLimits.once_ms)
    expect(await server.status(server.seal())).toBe(200)
    place.pause()
    const began_ms = performance.now()
    for (let sent = 0; sent < 40; sent++) expect(await server.status(server.seal())).toBe(503)
    // Half of what it would take if each envelope waited.
    expect(performance.now() - began_ms).toBeLessThan(20 * redisLimits.once_ms)
    expect(await server.unchecked()).toBe(40)
    place.resume()
    await server.untilAccepted()
  })

  test('of a server that has lost its own memory stay used', async () => {
    await using place = await TestRedis.start()
    const server = await startServer(place)
    const form = server.seal()
    expect(await server.status(form)).toBe(200)
    expect(await (await startServer(place)).status(form)).toBe(400)
  })

  test('of a Redis that has lost its memory stay used at the server that was sent them', async () => {
    await using place = await TestRedis.start()
    const server = await startServer(place)
    const form = server.seal()
    expect(await server.status(form)).toBe(200)
    place.ask('flushall')
    expect(await server.status(form)).toBe(400)
  })
})
