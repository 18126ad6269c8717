import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealForm } from '@candela/protocol/envelope/testing-envelope'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_UNDER_WAY } from '../limits/admission.ts'
import { clientLimits } from '../limits/client-limits.ts'
import { createTestApp, listen, type TestApp } from '../testing/test-app.ts'
import { type RawAnswer, sendRaw } from '../testing/raw-client.ts'

let webDist: string
beforeAll(async () => {
  webDist = await mkdtemp(join(tmpdir(), 'candela-web-'))
  await mkdir(join(webDist, 'assets'))
  await writeFile(join(webDist, 'index.html'), '<!doctype html><title>Candela</title>')
  await writeFile(join(webDist, 'sw.js'), 'let candela = 1')
  await writeFile(join(webDist, 'assets', 'index-3f9a.js'), 'let candela = 1')
})
afterAll(() => rm(webDist, { recursive: true, force: true }))

const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n'

const get = (path: string, lines = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`
const post = (path: string, body: string, lines = FORM) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${lines}Content-Length: ${body.length}\r\n\r\n${body}`

const sealed = (server: TestApp): string =>
  new URLSearchParams(sealForm({ method: 'GET', url: '/api/v1/user/info' }, server.clock.now().getTime())).toString()

/** `isLate` is sent to a server that waits for a head for less than a second. */
type Kind = { status: number; isLate?: true; bytes: (server: TestApp) => string }

/** Every kind of answer that there is, by what brings it about. */
const kinds: Record<string, Kind> = {
  'the page': { status: 200, bytes: () => get('/') },
  'an asset': { status: 200, bytes: () => get('/assets/index-3f9a.js') },
  'the head of an asset': { status: 200, bytes: () => get('/assets/index-3f9a.js').replace('GET', 'HEAD') },
  'a page that is unchanged': {
    status: 304,
    bytes: () => get('/', `If-Modified-Since: ${new Date(Date.now() + 60_000).toUTCString()}\r\n`),
  },
  'a range that is not there': { status: 416, bytes: () => get('/assets/index-3f9a.js', 'Range: bytes=900-\r\n') },
  'an answer of the API': { status: 200, bytes: () => get('/api/v1/user/info') },
  'an answer of the gateway': { status: 200, bytes: (server) => post('/api/v1/gateway', sealed(server)) },
  'a bad envelope': { status: 400, bytes: () => post('/api/v1/gateway', 'handshake=1') },
  'the document': { status: 200, bytes: () => get('/docs') },
  'the document for tools': { status: 200, bytes: () => get('/docs/openapi.json') },
  'being alive': { status: 200, bytes: () => get('/healthz') },
  'being ready': { status: 503, bytes: () => get('/readyz') },
  'no such path': { status: 404, bytes: () => get('/nowhere') },
  'a path that cannot be read': { status: 400, bytes: () => get('/%zz') },
  'another type of body': { status: 415, bytes: () => post('/api/v1/auth/logout', '{}', 'Content-Type: a/b\r\n') },
  'a packed body': { status: 415, bytes: () => post('/api/v1/auth/logout', 'x', `${FORM}Content-Encoding: gzip\r\n`) },
  'a body that is too large': { status: 413, bytes: () => post('/api/v1/auth/logout', 'x'.repeat(200_000)) },
  'too many fields in the head': { status: 431, bytes: () => get('/', 'X: y\r\n'.repeat(200)) },
  'too large a head': { status: 431, bytes: () => get('/', `X: ${'y'.repeat(20_000)}\r\n`) },
  'no host': { status: 400, bytes: () => 'GET / HTTP/1.1\r\n\r\n' },
  'no HTTP': { status: 400, bytes: () => 'What is this?\r\n\r\n' },
  'an unknown expectation': { status: 417, bytes: () => get('/', 'Expect: a miracle\r\n') },
  'a head that is late': { status: 408, isLate: true, bytes: () => 'GET / HTTP/1.1\r\nHost: a\r\n' },
  'a fault of ours': { status: 500, bytes: () => get('/breaks') },
}

/** Lines that would name the software, set cookies, or let other origins in. */
const never = ['server', 'x-powered-by', 'set-cookie', 'via']

function expectSafe({ headers }: RawAnswer, name: string, https: boolean): void {
  const about = `${name}: ${JSON.stringify(headers)}`
  expect(headers, about).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(headers['content-security-policy'], about).toMatch(/frame-ancestors 'none'/)
  expect(headers['content-security-policy'], about).not.toMatch(/unsafe|\*/)
  expect(headers['strict-transport-security'], about).toBe(https ? 'max-age=31536000' : undefined)
  for (const header of never) expect(headers[header], about).toBeUndefined()
  expect(Object.keys(headers).filter((header) => header.startsWith('access-control'))).toEqual([])
}

describe.each([
  ['https', 'https://app.example.org'],
  ['http', 'http://127.0.0.1:8210'],
])('over %s', (scheme, publicOrigin) => {
  const https = scheme === 'https'
  let server: TestApp
  let hasty: TestApp
  let port: number
  let hastyPort: number
  const hold = Promise.withResolvers<{ isRegister: boolean }>()
  let held = 0
  beforeAll(async () => {
    server = await createTestApp({
      webDist,
      publicOrigin,
      rateLimitScale: 2.5,
      health: { database: async () => ({ ok: false }) },
      handlers: { 'POST auth/isRegister': () => ((held += 1), hold.promise) },
    })
    server.app.get('/breaks', () => Promise.reject(new Error('relation "member" does not exist')))
    port = await listen(server)
    hasty = await createTestApp({ publicOrigin, limits: { ...clientLimits, head_ms: 500, check_ms: 50 } })
    hastyPort = await listen(hasty)
  })
  afterAll(async () => {
    await server.app.close()
    await hasty.app.close()
  })

  test.each(Object.entries(kinds))('%s has every security line, whatever other origins say', async (name, kind) => {
    const bytes = kind.bytes(server)
    const asked = bytes.replace('Host: a\r\n', 'Host: a\r\nOrigin: https://evil.example\r\nCookie: session=1\r\n')
    const answers = await sendRaw(kind.isLate ? hastyPort : port, asked, { quiet_ms: 30 })
    expect(answers.map(({ status }) => status)).toEqual([kind.status])
    const [answer] = answers
    if (answer === undefined) throw new Error('no answer')
    expectSafe(answer, name, https)
    if (kind.status >= 400 && name !== 'being ready') {
      expect(JSON.parse(answer.body)).toMatchObject({ code: expect.any(Number) as number, data: null })
      expect(answer.body).not.toMatch(/member|Error|node_modules|\.ts/)
    }
    if (!/page|asset/.test(name)) expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('so have 429 for too many calls and 503 for overload', async () => {
    const four = post('/api/v1/gateway', 'x').repeat(4)
    const many = await Promise.all(Array.from({ length: 190 }, () => sendRaw(port, four, { answers: 4, quiet_ms: 10 })))
    const told = many.flat().find(({ status }) => status === 429)
    expect(told?.status).toBe(429)
    if (told !== undefined) expectSafe(told, 'told to wait', https)

    const bytes = post('/api/v1/auth/isRegister', `address=0x${'ab'.repeat(20)}`)
    const waiting = Array.from({ length: MAX_UNDER_WAY }, () => sendRaw(port, bytes))
    await expect.poll(() => held).toBe(MAX_UNDER_WAY)
    const [busy] = await sendRaw(port, get('/api/v1/user/info'))
    expect(busy?.status).toBe(503)
    if (busy !== undefined) expectSafe(busy, 'turned away', https)
    hold.resolve({ isRegister: true })
    await Promise.all(waiting)
  })
})

test('the page may run its own scripts, ask its own server and the wallets’ RPC, and nothing else', async () => {
  const { app } = await createTestApp({ webDist, publicOrigin: 'https://app.example.org' })
  const { headers } = await app.inject('/')
  expect(headers['content-security-policy']).toBe(
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
      "connect-src 'self' http://127.0.0.1:8545; worker-src 'self'; manifest-src 'self'; object-src 'none'; " +
      "base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; frame-ancestors 'none'; upgrade-insecure-requests",
  )
  const permissions = String(headers['permissions-policy']).split(', ')
  expect(permissions.filter((one) => !one.endsWith('=()'))).toEqual(['clipboard-read=(self)', 'clipboard-write=(self)'])
  for (const one of ['camera', 'geolocation', 'microphone', 'usb', 'payment', 'display-capture'])
    expect(permissions).toContain(`${one}=()`)
  const unchanged = await app.inject({ url: '/', headers: { 'if-none-match': String(headers['etag']) } })
  expect(unchanged.headers['content-security-policy']).toBe(headers['content-security-policy'])
  const answer = await app.inject('/healthz')
  expect(answer.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
})

test('the service worker may fetch from our own server, is looked for at each start, and may run nothing else', async () => {
  const { app } = await createTestApp({ webDist, publicOrigin: 'https://app.example.org' })
  const { statusCode, headers } = await app.inject('/sw.js')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('application/javascript; charset=utf-8')
  expect(headers['content-security-policy']).toBe("default-src 'none'; connect-src 'self'; frame-ancestors 'none'")
  expect(headers['cache-control']).toBe('no-cache')
})

test('pictures come from the origins that the operator has named, and from no other', async () => {
  const imageOrigins = ['https://a.example', 'https://b.example']
  const { app } = await createTestApp({ webDist, imageOrigins })
  const { headers } = await app.inject('/')
  expect(headers['content-security-policy']).toContain("img-src 'self' data: https://a.example https://b.example;")
})

test('a preflight gets no permission, on no route', async () => {
  const { app } = await createTestApp({ webDist })
  const asking = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  for (const url of ['/', '/api/v1/gateway', '/api/v1/auth/login', '/healthz', '/assets/index-3f9a.js', '/docs']) {
    const response = await app.inject({ method: 'OPTIONS', url, headers: asking })
    expect([url, response.statusCode]).toEqual([url, 404])
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

const permissions = ({ headers }: { headers: Record<string, unknown> }) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')))

describe('where the app calls another origin, the page may ask it and the page’s origin alone may read', () => {
  const publicOrigin = 'https://app.example.org'
  const apiOrigin = 'https://api.example.org'
  const reading = {
    'access-control-allow-origin': publicOrigin,
    'access-control-expose-headers': 'date, retry-after',
  }
  let server: TestApp
  beforeAll(async () => {
    server = await createTestApp({ webDist, publicOrigin, apiOrigin })
  })
  afterAll(() => server.app.close())

  test('the page’s policy', async () => {
    const { headers } = await server.app.inject('/')
    expect(headers['content-security-policy']).toContain(`connect-src 'self' ${apiOrigin} http://127.0.0.1:8545;`)
  })

  test('answers and refusals, whoever asks', async () => {
    for (const origin of [publicOrigin, 'https://evil.example'])
      for (const url of ['/api/v1/user/info', '/api/v1/gateway', '/nowhere'])
        expect(permissions(await server.app.inject({ url, headers: { origin } }))).toEqual(reading)
    const port = await listen(server)
    const [early] = await sendRaw(port, post('/api/v1/auth/logout', 'x', `${FORM}Content-Encoding: gzip\r\n`))
    expect(early?.status).toBe(415)
    expect(early?.headers).toMatchObject(reading)
  })

  test('a preflight of the API, and of nothing else', async () => {
    const headers = { origin: publicOrigin, 'access-control-request-method': 'POST' }
    for (const url of ['/api/v1/gateway', '/api/v1/auth/login']) {
      const answer = await server.app.inject({ method: 'OPTIONS', url, headers })
      expect(answer.statusCode).toBe(204)
      expect(permissions(answer)).toEqual({
        ...reading,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'authorization, content-type, lang',
        'access-control-max-age': '7200',
      })
    }
    expect((await server.app.inject({ method: 'OPTIONS', url: '/', headers })).statusCode).toBe(404)
  })

  test('an app that was built for its own origin permits nothing', async () => {
    const same = await createTestApp({ webDist, publicOrigin, apiOrigin: publicOrigin })
    expect(permissions(await same.app.inject('/api/v1/user/info'))).toEqual({})
    expect((await same.app.inject({ method: 'OPTIONS', url: '/api/v1/gateway' })).statusCode).toBe(404)
  })
})
