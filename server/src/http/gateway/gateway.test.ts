import { randomBytes } from 'node:crypto'
import type { InnerRequest } from '@candela/protocol/envelope/envelope-schema'
import { decrypt, encrypt, resign, sealForm } from '@candela/protocol/envelope/testing-envelope'
import { describe, expect, test } from 'vitest'
import { createTestApp, type TestApp, TEST_TOKEN, type TestAppOptions } from '../testing/test-app.ts'

const GATEWAY = '/api/v1/gateway'

const unseal = (text: string, handshake: string) =>
  JSON.parse(decrypt(text, handshake)) as { code: number; message: string; data: unknown }

const post = ({ app }: TestApp, form: Record<string, string>, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: GATEWAY,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })

/** Seals, posts, and opens the answer. */
async function call(server: TestApp, inner: InnerRequest) {
  const form = sealForm(inner, server.clock.now().getTime())
  const response = await post(server, form)
  expect(response.statusCode).toBe(200)
  return unseal(response.body, form.handshake)
}

const withLogout = (options: TestAppOptions = {}) =>
  createTestApp({ ...options, handlers: { 'POST auth/logout': async () => ({}), ...options.handlers } })

describe('an envelope', () => {
  test('made by openssl opens here', async () => {
    // Made by: openssl enc -aes-128-ecb -K 41624364456647683132333435363738 -base64 -A, and
    // openssl dgst -sha256 -hmac AbCdEfGh12345678 over the timestamp, a dot and the data.
    const server = await createTestApp()
    const inner = { method: 'GET', url: '/api/v1/home/public', params: {}, headers: { LANG: 'EN' } }
    const form = {
      handshake: 'AbCdEfGh12345678',
      timestamp: '1772366400000',
      sign: '769176ed953cbcfa193b2018ea2a84ac1cb4629adb06e6d15791d64161a9cae0',
      data:
        'TEhS80Xk+XZvOGm2D7BUm20guexG65rDDQ07DdYH3cqIgxTx5DgSJEYthVnlJFdxMlZomMqAXWsRybDu3ByBetzOd5chtrx6xjnmtmNZKKa1aK4Q' +
        'maPhD7nA6uGdZzUb',
    }
    expect(sealForm(inner, 1_772_366_400_000, form.handshake)).toEqual(form)
    const response = await post(server, form)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(unseal(response.body, form.handshake)).toEqual({
      code: 404,
      message: 'We could not find that',
      data: null,
    })
  })

  test('is answered with what openssl makes of the same body', async () => {
    const server = await withLogout()
    const inner = { method: 'POST', url: '/api/v1/auth/logout', headers: { LANG: 'EN', Authorization: TEST_TOKEN } }
    const response = await post(server, sealForm(inner, server.clock.now().getTime(), 'AbCdEfGh12345678'))
    expect(response.body).toBe('Pl2GrZ9Y82ccECW8ku8gtjlDYnKJGkC3Rr+yhq8Z/Rm9fg8j1/nGmXiNZzyWLKw0')
  })

  test('brings parameters, form, token and language to the inner route', async () => {
    const seen: unknown[] = []
    const server = await createTestApp({
      handlers: {
        'POST auth/isRegister': async (input, context) => {
          seen.push(input, context.lang)
          return { isRegister: true }
        },
        'GET user/zhiList': async (input, context) => {
          seen.push(input, context.memberId)
          return { items: [], nextCursor: null }
        },
      },
    })
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'
    const registered = await call(server, {
      method: 'POST',
      url: '/api/v1/auth/isRegister',
      data: { address },
      headers: { LANG: 'ZH' },
    })
    expect(registered).toEqual({ code: 200, message: '成功', data: { isRegister: true } })
    const list = await call(server, {
      method: 'GET',
      url: '/api/v1/user/zhiList',
      params: { limit: '5' },
      headers: { Authorization: `Bearer ${TEST_TOKEN}` },
    })
    expect(list.code).toBe(200)
    expect(seen).toEqual([{ address: address.toLowerCase() }, 'zh', { limit: 5 }, 7n])
  })

  test('answers refusals of the inner route inside: session, input, unknown paths, method', async () => {
    const server = await withLogout()
    const headers = { LANG: 'EN' }
    const codes = await Promise.all(
      [
        { method: 'POST', url: '/api/v1/auth/logout', headers },
        { method: 'POST', url: '/api/v1/auth/isRegister', data: { address: '0x12' }, headers },
        { method: 'GET', url: '/api/v1/auth/logout', headers },
        { method: 'POST', url: '/api/v1/gateway', headers },
        { method: 'GET', url: '/api/v1/constructor', headers },
        { method: 'GET', url: '/healthz', headers },
      ].map(async (inner) => (await call(server, inner as InnerRequest)).code),
    )
    expect(codes).toEqual([401, 400, 404, 404, 404, 404])
  })
})

describe('a bad envelope', () => {
  const inner = { method: 'POST', url: '/api/v1/auth/logout', headers: { Authorization: TEST_TOKEN } }
  const at = new Date('2026-03-01T12:00:00.000Z').getTime()

  test('is refused in one and the same way, whatever is wrong with it', async () => {
    let calls = 0
    const server = await withLogout({ handlers: { 'POST auth/logout': async () => (calls++, {}) } })
    const good = sealForm(inner, at)
    const { handshake, timestamp, data, sign } = good
    const sealRaw = (plain: string) => resign({ handshake, timestamp, data: encrypt(plain, handshake) })
    const bad: Record<string, Record<string, string>> = {
      'no fields': {},
      'no signature': { handshake, timestamp, data },
      'signature of other data': { ...good, sign: sealForm(inner, at).sign },
      'one bit of the signature': { ...good, sign: sign.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
      'signature in capitals': { ...good, sign: sign.toUpperCase() },
      'other data': { ...good, data: `${data.slice(0, 4) === 'AAAA' ? 'BBBB' : 'AAAA'}${data.slice(4)}` },
      'later timestamp': { ...good, timestamp: String(at + 1) },
      'other handshake': { ...good, handshake: 'A'.repeat(16) },
      'handshake of 15': { ...good, handshake: handshake.slice(1) },
      'handshake of 16 that are not letters or digits': resign({ handshake: '0123456789abcde!', timestamp, data }),
      'timestamp in seconds': resign({ handshake, timestamp: timestamp.slice(0, 10), data }),
      'no base64': resign({ handshake, timestamp, data: '****' }),
      'wrong padding': resign({ handshake, timestamp, data: randomBytes(32).toString('base64') }),
      'half a block': resign({ handshake, timestamp, data: randomBytes(8).toString('base64') }),
      'no JSON': sealRaw('hello'),
      'JSON of another shape': sealRaw('[]'),
      'unknown method': sealRaw(JSON.stringify({ ...inner, method: 'DELETE' })),
      'field that is no text': sealRaw(JSON.stringify({ ...inner, data: { a: { b: 1 } } })),
    }
    const answers = new Map<string, string[]>()
    for (const [name, form] of Object.entries(bad)) {
      const { statusCode, body, headers } = await post(server, form)
      const answer = `${statusCode} ${headers['content-type']} ${body}`
      answers.set(answer, [...(answers.get(answer) ?? []), name])
    }
    expect([...answers.keys()]).toEqual([
      '400 application/json; charset=utf-8 {"code":400,"message":"請求未被接受，請再試一次。若一再發生，請校正裝置的時間","data":null}',
    ])
    expect(calls).toBe(0)
    expect(await server.metrics.text()).toContain(`candela_bad_envelopes_total ${Object.keys(bad).length}`)
  })

  test('whose only fault is its time is told the server’s, in the language inside', async () => {
    const server = await withLogout()
    const told = async (LANG: string, time: number) => {
      const { statusCode, body } = await post(server, sealForm({ ...inner, headers: { LANG } }, time))
      return [statusCode, JSON.parse(body) as unknown]
    }
    const english =
      'This device’s clock is wrong: the server’s time is 2026-03-01T12:00:00.000Z. Please set it and try again'
    for (const time of [at - 120_001, at + 120_001])
      expect(await told('EN', time)).toEqual([400, { code: 400, message: english, data: null }])
    expect(await told('ZH', at - 120_001)).toMatchObject([
      400,
      { message: expect.stringContaining('服务器时间为 2026-03-01T12:00') },
    ])
    expect(await server.metrics.text()).toContain('candela_bad_envelopes_total 3')
  })

  test('includes one that comes a second time, or a handshake that was used', async () => {
    let calls = 0
    const server = await withLogout({ handlers: { 'POST auth/logout': async () => (calls++, {}) } })
    const form = sealForm(inner, at)
    expect((await post(server, form)).statusCode).toBe(200)
    expect((await post(server, form)).statusCode).toBe(400)
    expect((await post(server, sealForm(inner, at + 1_000, form.handshake))).statusCode).toBe(400)
    // Also late, and when the first of many at once has not been answered.
    server.clock.advance(119_000)
    expect((await post(server, form)).statusCode).toBe(400)
    const fresh = sealForm(inner, server.clock.now().getTime())
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await post(server, fresh)).statusCode))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(calls).toBe(2)
  })

  test('does not use its handshake up', async () => {
    const server = await withLogout()
    const form = sealForm(inner, at)
    expect((await post(server, { ...form, sign: '0'.repeat(64) })).statusCode).toBe(400)
    expect((await post(server, form)).statusCode).toBe(200)
  })

  test('at the edges of the window is good', async () => {
    const server = await withLogout()
    expect((await post(server, sealForm(inner, at - 120_000))).statusCode).toBe(200)
    expect((await post(server, sealForm(inner, at + 120_000))).statusCode).toBe(200)
  })

  test('larger than the limit is 413 in the body shape', async () => {
    const server = await withLogout()
    const response = await post(server, sealForm({ ...inner, data: { a: 'x'.repeat(100_000) } }, at), { lang: 'EN' })
    expect(response.statusCode).toBe(413)
    expect(response.json()).toEqual({ code: 413, message: 'That request is too large', data: null })
  })
})

test('envelopes are limited per client address before they are opened, and say how long to wait', async () => {
  const server = await withLogout()
  const at = server.clock.now().getTime()
  let limited: Awaited<ReturnType<typeof post>> | undefined
  for (let sent = 0; sent < 400 && limited === undefined; sent++) {
    const response = await post(server, { ...sealForm({}, at), sign: '0'.repeat(64) }, { lang: 'EN' })
    if (response.statusCode === 429) limited = response
  }
  expect(limited?.json()).toEqual({ code: 429, message: 'Too many requests. Try again in 1 s', data: null })
  expect(limited?.headers['retry-after']).toBe('1')
  server.clock.advance(1_000)
  expect((await post(server, sealForm({ method: 'GET', url: '/' }, at + 1_000))).statusCode).toBe(200)
})
