import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, listen, TEST_TOKEN, type TestApp } from '../testing/test-app.ts'

let server: TestApp
let port: number
let calls = 0
beforeAll(async () => {
  server = await createTestApp({ handlers: { 'POST auth/logout': () => Promise.resolve(((calls += 1), {})) } })
  port = await listen(server)
})
afterAll(() => server.app.close())

/** Everything that the server answers to these lines until it ends the connection. */
async function send(...lines: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  socket.on('error', () => undefined)
  socket.end(lines.join('\r\n'))
  await once(socket, 'close')
  return received
}

const statuses = (received: string): string[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status)

const head = [
  'POST /api/v1/auth/logout HTTP/1.1',
  'Host: a',
  `Authorization: ${TEST_TOKEN}`,
  'Content-Type: application/x-www-form-urlencoded',
]

const smuggled = `POST /api/v1/auth/logout HTTP/1.1\r\nHost: a\r\nAuthorization: ${TEST_TOKEN}\r\nContent-Length: 0\r\n\r\n`

test('one request is one call', async () => {
  const before = calls
  expect(statuses(await send(...head, 'Content-Length: 3', '', 'a=b'))).toEqual(['200'])
  expect(calls).toBe(before + 1)
})

test.each([
  ['with a length beside chunks', ['Content-Length: 6', 'Transfer-Encoding: chunked', '', '0', '', smuggled]],
  ['with two lengths', ['Content-Length: 0', 'Content-Length: 40', '', smuggled]],
  ['with a length that is none', ['Content-Length: +3', '', smuggled]],
  ['with chunks under another name', ['Transfer-Encoding: xchunked', '', '0', '', smuggled]],
  ['with chunks that are not last', ['Transfer-Encoding: chunked, identity', '', '0', '', smuggled]],
  ['with a blank before the colon', ['Content-Length : 0', '', smuggled]],
  ['with a header over two lines', ['X: a', ' Content-Length: 0', '', smuggled]],
  ['with a bare line feed in its head', ['X: a\nContent-Length: 0', '', smuggled]],
  ['with a zero byte in its head', ['X: a\u0000b', 'Content-Length: 0', '', smuggled]],
])('a request %s is refused, and what comes behind it is not read as another one', async (_name, rest) => {
  const before = calls
  const received = await send(...head, ...rest)
  expect(statuses(received)).toEqual(['400'])
  expect(received.toLowerCase()).toContain('connection: close')
  expect(calls).toBe(before)
})

test('TRACE sends nothing back, and methods that no route has are unknown', async () => {
  for (const method of ['TRACE', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'HEAD']) {
    const received = await send(
      `${method} /api/v1/auth/logout HTTP/1.1`,
      'Host: a',
      'X-Mine: echoed',
      'Connection: close',
      '',
      '',
    )
    expect([method, ...statuses(received)]).toEqual([method, expect.stringMatching(/^40[45]$/)])
    expect(received).not.toContain('echoed')
  }
})

test('fields that are named like parts of every object change no object', async () => {
  const names = ['__proto__', '__proto__[polluted]', 'constructor', 'constructor[prototype][polluted]', 'toString']
  const body = names.map((name) => `${encodeURIComponent(name)}=yes`).join('&')
  const before = calls
  expect(statuses(await send(...head, `Content-Length: ${body.length}`, '', body))).toEqual(['200'])
  expect(calls).toBe(before + 1)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  expect(Object.keys(Object.prototype)).toEqual([])
})
