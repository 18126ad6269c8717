import { connect, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorBody } from '../../api/error-body.ts'
import { createTestApp, listen, type TestApp } from '../testing/test-app.ts'
import { memoryInUse } from '../testing/memory-in-use.ts'
import { closed, sendRaw } from '../testing/raw-client.ts'

const MB = 2 ** 20
const BODY_LIMIT = 96 * 1024
const FORM = 'application/x-www-form-urlencoded'
const ASK = '/api/v1/auth/isRegister'
const good = `address=0x${'ab'.repeat(20)}`

let server: TestApp
let port: number
let calls = 0
/** The newest connection, as the server has it. */
let connection: Socket
const errors: string[] = []
beforeAll(async () => {
  server = await createTestApp({
    rateLimitScale: 1_000_000,
    handlers: { 'POST auth/isRegister': () => Promise.resolve(((calls += 1), { isRegister: true })) },
  })
  server.app.server.on('connection', (socket: Socket) => (connection = socket))
  port = await listen(server)
  process.on('unhandledRejection', note)
})
afterAll(async () => {
  process.off('unhandledRejection', note)
  await server.app.close()
})
const note = (reason: unknown) => errors.push(String(reason))

const notAccepted = errorBody(400, { field: 'request' }, 'en')
const tooLarge = errorBody(413, {}, 'en')

type Posted = { status: number; body: unknown }

async function post(path: string, body: string | Buffer, lines: Record<string, string> = {}): Promise<Posted> {
  const all = {
    Host: 'a',
    LANG: 'EN',
    'Content-Type': FORM,
    'Content-Length': String(Buffer.byteLength(body)),
    ...lines,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n`), Buffer.from(body)])
  const [answer, ...others] = await sendRaw(port, bytes, { quiet_ms: 20 })
  expect(others).toEqual([])
  return { status: answer?.status ?? 0, body: JSON.parse(answer?.body ?? 'null') as unknown }
}

/** Sends until the server ends the connection; gives how many bytes the server read and what it answered. */
async function sendEndlessly(head: string, piece: Buffer): Promise<{ taken: number; received: string }> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')))
  socket.on('error', () => undefined)
  const send = () => {
    while (socket.writable && socket.write(piece));
  }
  socket.on('drain', send)
  socket.write(head)
  send()
  await closed(socket)
  return { taken: connection.bytesRead, received }
}

const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

describe('a head', () => {
  test('with too many fields, a long name, a long value or a long address is refused', async () => {
    const heads = {
      fields: 'X: y\r\n'.repeat(101),
      'very many fields': 'X: y\r\n'.repeat(2_500),
      'a name': `${'x'.repeat(20_000)}: y\r\n`,
      'a value': `X: ${'y'.repeat(20_000)}\r\n`,
    }
    for (const [name, lines] of Object.entries(heads)) {
      const answers = await sendRaw(port, `GET /healthz HTTP/1.1\r\nHost: a\r\nLANG: EN\r\n${lines}\r\n`)
      expect([name, answers.map(({ status }) => status)]).toEqual([name, [431]])
      expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ code: 413, data: null })
    }
    const [answer] = await sendRaw(port, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(answer?.status).toBe(431)
  })

  test('with as many fields as a browser and its proxies send is accepted', async () => {
    const [answer] = await sendRaw(port, `GET /healthz HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(60)}\r\n`)
    expect(answer?.status).toBe(200)
  })

  test('that never ends is not read on', async () => {
    const { taken, received } = await sendEndlessly(
      'GET / HTTP/1.1\r\nHost: a\r\n',
      Buffer.from('X: y\r\n'.repeat(1_000)),
    )
    expect(taken).toBeLessThan(2 * MB)
    if (received !== '') expect(received).toMatch(/^HTTP\/1\.1 431 /)
  })
})

describe('a body', () => {
  test('over the limit is refused by its length alone', async () => {
    const lines = { 'Content-Length': String(BODY_LIMIT + 1) }
    expect(await post(ASK, '', lines)).toEqual({ status: 413, body: tooLarge })
    expect(await post(ASK, '', { 'Content-Length': '99999999999999' })).toEqual({ status: 413, body: tooLarge })
    expect((await post(ASK, `${good}&x=${'x'.repeat(BODY_LIMIT - good.length - 3)}`)).status).toBe(200)
  })

  test('over the limit is not read to its end, with a length or in chunks', async () => {
    const head = `POST ${ASK} HTTP/1.1\r\nHost: a\r\nLANG: EN\r\nContent-Type: ${FORM}\r\n`
    const piece = Buffer.alloc(16_384, 'x')
    const sized = await sendEndlessly(`${head}Content-Length: ${10 ** 12}\r\n\r\n`, piece)
    const chunk = Buffer.concat([Buffer.from('4000\r\n'), piece, Buffer.from('\r\n')])
    const inChunks = await sendEndlessly(`${head}Transfer-Encoding: chunked\r\n\r\n`, chunk)
    // Bytes that the kernel had already received come on top.
    for (const { taken } of [sized, inChunks]) expect(taken).toBeLessThan(BODY_LIMIT + MB)
    for (const { received } of [sized, inChunks]) if (received !== '') expect(received).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('in chunks is read as one with a length is, and refused as that one', async () => {
    const head = `POST ${ASK} HTTP/1.1\r\nHost: a\r\nLANG: EN\r\nContent-Type: ${FORM}\r\nTransfer-Encoding: chunked\r\n\r\n`
    const [taken] = await sendRaw(port, head + chunked(good))
    expect([taken?.status, JSON.parse(taken?.body ?? '')]).toMatchObject([200, { code: 200 }])
    const [refused] = await sendRaw(port, head + chunked('x'.repeat(BODY_LIMIT + 1)))
    expect([refused?.status, JSON.parse(refused?.body ?? '')]).toEqual([413, tooLarge])
    const [extended] = await sendRaw(port, `${head}3;${'x'.repeat(20_000)}\r\na=b\r\n0\r\n\r\n`)
    expect([extended?.status, JSON.parse(extended?.body ?? '')]).toMatchObject([413, { code: 413 }])
    const [trailing] = await sendRaw(port, `${head}3\r\na=b\r\n0\r\n${'X: y\r\n'.repeat(4_000)}\r\n`)
    expect(trailing?.status).toBe(431)
  })

  test('that is compressed is refused without decompressing it, whatever the encoding', async () => {
    const before = calls
    const bomb = Buffer.alloc(60 * MB, 'a=b&')
    const packed = { gzip: gzipSync(bomb), deflate: deflateSync(bomb), br: brotliCompressSync(bomb.subarray(0, MB)) }
    for (const [encoding, bytes] of Object.entries({ ...packed, identity: Buffer.from(good), x: Buffer.from(good) })) {
      const answer = await post(ASK, bytes, { 'Content-Encoding': encoding })
      expect([encoding, answer]).toEqual([encoding, { status: 415, body: notAccepted }])
    }
    expect(calls).toBe(before)
  })

  test('of another type is refused, and the type of a form may be written in any way', async () => {
    const before = calls
    for (const type of [
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'a',
      '',
      '*/*',
      `${FORM}x`,
    ]) {
      const answer = await post(ASK, good, { 'Content-Type': type })
      expect([type, answer]).toEqual([type, { status: 415, body: notAccepted }])
    }
    expect(calls).toBe(before)
    for (const type of [FORM, `${FORM}; charset=UTF-8`, `${FORM};charset=utf-8`, FORM.toUpperCase()]) {
      expect([type, (await post(ASK, good, { 'Content-Type': type })).status]).toEqual([type, 200])
    }
  })
})

/** Forms that no client of ours sends. */
const forms: Record<string, string | Buffer> = {
  nothing: '',
  'only separators': '&'.repeat(90),
  'only equals signs': '='.repeat(90_000),
  'a name without end': 'x'.repeat(90_000),
  'a name in brackets': `address${'[a]'.repeat(10_000)}=1`,
  'a name with dots': `address${'.a'.repeat(10_000)}=1`,
  'a name that comes again': 'address=1&'.repeat(90),
  'names of every object':
    '__proto__=1&constructor=2&prototype=3&toString=4&hasOwnProperty=5&valueOf=6&__defineGetter__=7',
  'names of parts of every object': '__proto__[address]=1&constructor[prototype][address]=1&__proto__.address=1',
  'escapes that are none': 'address=%zz&b=%&c=%4&%=%%&d=%u0041',
  'bytes that are no text': Buffer.from([0x61, 0x64, 0x3d, 0xff, 0xfe, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0x26, 0xf8]),
  'escapes of bytes that are no text': 'address=%ff%fe%c0%af%ed%a0%80&%ff=%80',
  'a zero': 'address=%00&a%00b=c',
  'many escapes': `address=${'%41'.repeat(30_000)}`,
  'many blanks': `address=${'+'.repeat(90_000)}`,
  'text in the wrong direction': `address=${encodeURIComponent('\u202E\uFEFF\u{1F4A9}'.repeat(100))}`,
}

describe('a form', () => {
  const paths = [ASK, '/api/v1/auth/login', '/api/v1/gateway', '/api/v1/transfer/index']

  test.each(Object.entries(forms))('of %s is bad input, no more', async (_name, form) => {
    for (const path of paths) {
      const { status, body } = await post(path, form)
      expect([path, status]).toEqual([path, path.endsWith('gateway') ? 400 : 200])
      // Without a session the input is not parsed.
      const code = path.endsWith('index') ? 401 : 400
      expect([path, body]).toMatchObject([path, { code, message: expect.any(String) as string, data: null }])
    }
    expect(errors).toEqual([])
    expect(({} as Record<string, unknown>)['address']).toBeUndefined()
  })

  test('with thousands of fields is refused, and many of them leave no memory in use', async () => {
    const many = {
      different: Array.from({ length: 12_000 }, (_, nth) => `a${nth}=`).join('&'),
      'the same': 'a&'.repeat(45_000),
      numbered: Array.from({ length: 12_000 }, (_, nth) => (nth * 7_919) % 999_983).join('&'),
    }
    const sendAll = async () => {
      for (const [name, form] of Object.entries(many)) {
        expect([name, await post(ASK, form)]).toEqual([name, { status: 400, body: notAccepted }])
      }
    }
    for (let nth = 0; nth < 5; nth++) await sendAll()
    const heap_before = memoryInUse().heapUsed
    for (let nth = 0; nth < 15; nth++) await sendAll()
    expect(memoryInUse().heapUsed - heap_before).toBeLessThan(2 * MB)
    expect((await post(ASK, good)).status).toBe(200)
  })
})

test('an address or a query that is hostile is bad input, or nothing that is there', async () => {
  const targets = {
    '/%zz': 400,
    '/%c0%ae%c0%ae/': 400,
    '/%ff': 400,
    '/%00': 404,
    '//evil.example/': 404,
    '/api/v1/auth/loginMessage?address=%zz&__proto__=1': 200,
    '/api/v1/auth/loginMessage?address=1&address=2': 200,
    [`/api/v1/auth/loginMessage?${'a=b&'.repeat(3_000)}`]: 200,
    [`/api/v1/auth/loginMessage?address=${'%ff'.repeat(1_000)}`]: 200,
    '/api/v1/auth/loginMessage;address=1': 404,
    '/api/v1/user/info?': 200,
    '/api/v1/USER/INFO': 404,
    '/api/v1/user/info/': 404,
    '/api/v1//user/info': 404,
    '/api/v1/./user/info': 404,
    '/api/v1/x/../user/info': 404,
  }
  for (const [target, status] of Object.entries(targets)) {
    const [answer] = await sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: a\r\nLANG: EN\r\n\r\n`, { quiet_ms: 20 })
    expect([target, answer?.status]).toEqual([target, status])
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ message: expect.any(String) as string, data: null })
  }
})
