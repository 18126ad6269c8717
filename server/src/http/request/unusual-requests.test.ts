import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, listen, TEST_TOKEN, type TestApp } from '../testing/test-app.ts'
import { type RawAnswer, sendRaw } from '../testing/raw-client.ts'

const FORM = 'application/x-www-form-urlencoded'

let server: TestApp
let port: number
let calls = 0
let gate = Promise.withResolvers<void>()
beforeAll(async () => {
  server = await createTestApp({
    rateLimitScale: 1_000,
    handlers: {
      'POST auth/logout': () => Promise.resolve(((calls += 1), {})),
      'POST auth/isRegister': async () => {
        calls += 1
        await gate.promise
        return { isRegister: true }
      },
    },
  })
  port = await listen(server)
})
afterAll(() => server.app.close())

const alive = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
const logout = `POST /api/v1/auth/logout HTTP/1.1\r\nHost: a\r\nAuthorization: ${TEST_TOKEN}\r\nContent-Length: 0\r\n\r\n`
const address = `address=0x${'ab'.repeat(20)}`
const ask = `POST /api/v1/auth/isRegister HTTP/1.1\r\nHost: a\r\nContent-Type: ${FORM}\r\nContent-Length: ${address.length}\r\n\r\n${address}`

const statuses = (answers: RawAnswer[]): number[] => answers.map(({ status }) => status)
const codeOf = (answer: RawAnswer | undefined): unknown => (JSON.parse(answer?.body ?? '{}') as { code?: unknown }).code

/** Each with the statuses of its answers: bytes behind it are not read as a request unless they are one. */
const unusual: [name: string, bytes: string | Buffer, answers: number[]][] = [
  ['without a host', 'GET /healthz HTTP/1.1\r\n\r\n', [400]],
  ['with an empty host', 'GET /healthz HTTP/1.1\r\nHost:\r\n\r\n', [200]],
  ['of HTTP 1.0, without a host', 'GET /healthz HTTP/1.0\r\n\r\n', [200]],
  ['of HTTP 0.9', 'GET /healthz\r\n\r\n', [400]],
  ['of HTTP 2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['of HTTP 9', 'GET /healthz HTTP/9.9\r\nHost: a\r\n\r\n', [400]],
  ['of TLS', Buffer.from('16030100c8010000c40303', 'hex'), [400]],
  ['in another case', 'get /healthz http/1.1\r\nhost: a\r\n\r\n', [400]],
  ['of a method that does not exist', 'FETCH /healthz HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
  ['of a method that no route has', 'PROPFIND /healthz HTTP/1.1\r\nHost: a\r\n\r\n', [404]],
  ['that asks what it may', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', [404]],
  ['that wants its own words back', 'TRACE / HTTP/1.1\r\nHost: a\r\nX-Mine: echoed\r\n\r\n', [404]],
  ['that wants a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n', []],
  ['with a whole address', 'GET http://a/healthz HTTP/1.1\r\nHost: a\r\n\r\n', [200]],
  ['for another machine', 'GET http://169.254.169.254/latest HTTP/1.1\r\nHost: a\r\n\r\n', [404]],
  ['that offers WebSocket', alive.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'), [200]],
  [
    'that offers HTTP 2',
    alive.replace('\r\n\r\n', '\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n'),
    [200],
  ],
  [
    'with a body where none belongs',
    `${alive.replace('\r\n\r\n', '\r\nContent-Length: 5\r\n\r\n')}hello${alive}`,
    [200, 200],
  ],
  ['with blank lines before it', `\r\n\r\n${alive}`, [200]],
  ['with a fragment', 'GET /healthz#part HTTP/1.1\r\nHost: a\r\n\r\n', [200]],
  ['for a path without its slash', 'GET healthz HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
  ['twice in a row', alive + alive, [200, 200]],
  [
    'with another behind one that ends the connection',
    `${alive.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}${logout}`,
    [200],
  ],
]

test.each(unusual)('a request %s is answered once, and read as nothing else', async (_name, bytes, expected) => {
  const before = calls
  const answers = await sendRaw(port, bytes, { answers: expected.length, quiet_ms: 40 })
  expect(statuses(answers)).toEqual(expected)
  for (const { headers, body } of answers) {
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(body).not.toMatch(/echoed|HPE_|Error|"stack"/)
  }
  expect(calls).toBe(before)
})

test('pipelined requests are answered in their order, each as a call of its own', async () => {
  const before = calls
  for (let nth = 0; nth < 20; nth++) {
    const answers = await sendRaw(port, `${alive}${logout}`.repeat(2), { answers: 4, quiet_ms: 10 })
    expect(statuses(answers)).toEqual([200, 200, 200, 200])
    expect(answers.filter((_answer, each) => each % 2 === 1).map(codeOf)).toEqual([200, 200])
  }
  expect(calls).toBe(before + 40)
})

test('a client that asks whether it may send is told so, and one that expects anything else is told no', async () => {
  const willing = ask.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')
  gate.resolve()
  const answers = await sendRaw(port, willing, { answers: 2 })
  expect(statuses(answers)).toEqual([100, 200])
  const before = calls
  const [refused, ...others] = await sendRaw(port, ask.replace('\r\n\r\n', '\r\nExpect: 200-ok\r\nLANG: EN\r\n\r\n'))
  expect([refused?.status, codeOf(refused), others]).toEqual([417, 400, []])
  expect(calls).toBe(before)
})

test('bytes that cannot be read are not answered while the request before them is: the client would take that for its answer', async () => {
  gate = Promise.withResolvers()
  const before = calls
  const answering = sendRaw(port, `${ask}what is this?\r\n\r\n`)
  await expect.poll(() => calls).toBe(before + 1)
  gate.resolve()
  // The connection ends, and the client has to ask what became of it.
  expect(await answering).toEqual([])
  // Once it is answered, they are refused by themselves.
  const later = await sendRaw(port, `${alive}what is this?\r\n\r\n`)
  expect(statuses(later).at(0)).not.toBe(400)
  expect((await sendRaw(port, alive)).map(codeOf)).toEqual([undefined])
})

test('a request from a page elsewhere, with its cookies, signs nobody in and sets nothing', async () => {
  const before = calls
  const foreign = `Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\nCookie: token=${TEST_TOKEN}; Authorization=${TEST_TOKEN}\r\n`
  const paths = ['/api/v1/auth/logout', `/api/v1/auth/logout?Authorization=${TEST_TOKEN}&token=${TEST_TOKEN}`]
  for (const path of paths) {
    for (const type of [FORM, 'text/plain', 'multipart/form-data; boundary=x']) {
      const body = `Authorization=${TEST_TOKEN}&token=${TEST_TOKEN}`
      const [answer] = await sendRaw(
        port,
        `POST ${path} HTTP/1.1\r\nHost: a\r\n${foreign}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        { quiet_ms: 20 },
      )
      expect([type, codeOf(answer)]).toEqual([type, type === FORM ? 401 : 400])
      expect(answer?.headers['set-cookie']).toBeUndefined()
      expect(answer?.headers['access-control-allow-origin']).toBeUndefined()
    }
  }
  expect(calls).toBe(before)
})
