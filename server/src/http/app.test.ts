import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brotliCompressSync } from 'node:zlib'
import { fakeClock } from '../kernel/clock.ts'
import { createTestApp, TEST_TOKEN } from './testing/test-app.ts'

describe('the built web', () => {
  let webDist: string
  beforeAll(async () => {
    webDist = await mkdtemp(join(tmpdir(), 'candela-web-'))
    await mkdir(join(webDist, 'assets'))
    await writeFile(join(webDist, 'index.html'), '<!doctype html><title>Candela</title>')
    await writeFile(join(webDist, 'assets', 'index-3f9a.js'), 'let candela = 1')
    await writeFile(join(webDist, 'assets', 'index-3f9a.js.br'), brotliCompressSync('let candela = 1'))
    await writeFile(join(webDist, 'icon.svg'), '<svg/>')
  })
  afterAll(() => rm(webDist, { recursive: true, force: true }))

  test('is asked for again each time, except for what carries a hash in its name', async () => {
    const { app } = await createTestApp({ webDist, envelopeOnly: true })
    const index = await app.inject('/')
    expect([index.statusCode, index.headers['cache-control'], index.body]).toEqual([
      200,
      'no-cache',
      '<!doctype html><title>Candela</title>',
    ])
    expect(index.headers['content-security-policy']).toContain("script-src 'self'")
    expect((await app.inject('/index.html')).headers['cache-control']).toBe('no-cache')
    expect((await app.inject('/icon.svg')).headers['cache-control']).toBe('no-cache')
    const script = await app.inject('/assets/index-3f9a.js')
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(script.headers['content-type']).toContain('javascript')
    const unchanged = await app.inject({ url: '/', headers: { 'if-none-match': String(index.headers['etag']) } })
    expect(unchanged.statusCode).toBe(304)
  })

  test('travels as it was compressed when it was built', async () => {
    const { app } = await createTestApp({ webDist })
    const url = '/assets/index-3f9a.js'
    const compressed = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
    expect(compressed.headers['content-encoding']).toBe('br')
    expect(compressed.headers['vary']).toMatch(/accept-encoding/i)
    expect(compressed.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const plain = await app.inject({ url, headers: { 'accept-encoding': 'identity' } })
    expect(plain.body).toBe('let candela = 1')
  })

  test('is all that is there: no other path, no way out of the folder', async () => {
    const { app } = await createTestApp({ webDist })
    for (const url of ['/assets/', '/assets/other.js', '/..%2f..%2fetc/passwd', '/../package.json', '/index.html.br']) {
      const response = await app.inject({ url, headers: { lang: 'EN' } })
      expect([url, response.statusCode]).toEqual([url, 404])
      expect(response.json()).toMatchObject({ code: 404, data: null })
    }
  })
})

test('an answer is dated by the clock of a server whose time is not the machine’s', async () => {
  const { app } = await createTestApp({ clock: fakeClock('2031-05-04T03:02:01.900Z') })
  for (const url of ['/api/v1/home/public', '/nothing'])
    expect((await app.inject(url)).headers['date']).toBe('Sun, 04 May 2031 03:02:01 GMT')
})

test('the document is there to read where plain routes are, and nowhere else', async () => {
  const open = await createTestApp()
  const page = await open.app.inject('/docs')
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const closed = await createTestApp({ envelopeOnly: true })
  for (const url of ['/docs', '/docs/openapi.json', '/docs/style.css'])
    expect([url, (await closed.app.inject(url)).statusCode]).toEqual([url, 404])
})

/** The address that a call through a proxy at 10.0.0.7 is counted under. */
async function addressSeen(trustProxy: false | string[], forwarded = '203.0.113.9'): Promise<string> {
  let seen = ''
  const { app } = await createTestApp({
    trustProxy,
    handlers: {
      'POST auth/isRegister': async (_input, { clientAddress }) => {
        seen = clientAddress
        return { isRegister: false }
      },
    },
  })
  await app.inject({
    method: 'POST',
    url: '/api/v1/auth/isRegister',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': forwarded },
    payload: `address=0x${'ab'.repeat(20)}`,
    remoteAddress: '10.0.0.7',
  })
  return seen
}

describe('a plain route', () => {
  test('takes the token bare or as a bearer, and nothing that cannot be one', async () => {
    const { app } = await createTestApp({ handlers: { 'POST auth/logout': async () => ({}) } })
    const codeWith = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization }
      const response = await app.inject({ method: 'POST', url: '/api/v1/auth/logout', headers })
      expect(response.headers['cache-control']).toBe('no-store')
      return response.json<{ code: number }>().code
    }
    expect(await codeWith(TEST_TOKEN)).toBe(200)
    expect(await codeWith(`Bearer ${TEST_TOKEN}`)).toBe(200)
    for (const header of [undefined, '', 'Bearer', TEST_TOKEN.slice(1), `${TEST_TOKEN}T`, `Basic ${TEST_TOKEN}`]) {
      expect(await codeWith(header)).toBe(401)
    }
  })

  test('answers in the language of the LANG header, and in the default one otherwise', async () => {
    const { app } = await createTestApp()
    const messageIn = async (lang?: string) => {
      const response = await app.inject({ url: '/api/v1/user/info', headers: lang === undefined ? {} : { lang } })
      return response.json<{ message: string }>().message
    }
    expect(await messageIn('ZH')).toBe('登录已失效，请重新登录')
    expect(await messageIn('en')).toBe('Your session has ended. Please sign in again')
    for (const lang of ['TW', undefined, 'FR']) expect(await messageIn(lang)).toBe('登入已失效，請重新登入')
  })

  test('counts the client that a trusted proxy names, and believes nobody else', async () => {
    expect(await addressSeen(false)).toBe('10.0.0.7')
    expect(await addressSeen(['10.0.0.0/8'])).toBe('203.0.113.9')
    expect(await addressSeen(['192.168.0.1'])).toBe('10.0.0.7')
    // A client may write what it likes in front of what the proxy adds.
    expect(await addressSeen(['10.0.0.0/8'], '10.9.9.9, 127.0.0.1, 198.51.100.4, 203.0.113.9')).toBe('203.0.113.9')
    for (const nonsense of ['', 'x'.repeat(9_000), '203.0.113.9:99', '<script>', '1.2.3']) {
      expect(await addressSeen(['10.0.0.0/8'], nonsense)).toBe('10.0.0.7')
    }
  })
})

describe('readiness', () => {
  test('is 503 with each part when one fails, and tells nobody why', async () => {
    const { app } = await createTestApp({
      health: {
        database: () => Promise.reject(new Error('password of candela is wrong')),
        chain: async () => ({ ok: true, head: 12 }),
      },
    })
    const response = await app.inject('/readyz')
    expect(response.statusCode).toBe(503)
    expect(response.json()).toEqual({ ready: false, parts: { database: { ok: false }, chain: { ok: true, head: 12 } } })
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    expect((await app.inject({ method: 'HEAD', url: '/readyz' })).statusCode).toBe(503)
  })
})
