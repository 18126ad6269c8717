import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encrypt } from '@candela/protocol/envelope/testing-envelope'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTransport, type Outgoing } from './transport.ts'

/** The client reads every kind of answer, from a real server over a real socket. */

type Answering = (response: ServerResponse, handshake: string) => void

const limits = { timeoutMs: 50_000, retries: 0, retryDelayMs: 1_000 }

let answering: Answering = (response) => response.end()
const server = createServer((request, response) => {
  void bodyOf(request).then((body) => answering(response, new URLSearchParams(body).get('handshake') ?? ''))
})
let base = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const outgoing: Outgoing = { key: 'GET user/info', fields: {}, token: 'token', lang: 'EN', signal: null }

/** Tells what became of a call: its answer, or the kind of its failure. */
async function outcome(given: Answering, settings: { envelope: boolean; base?: string; timeoutMs?: number }) {
  answering = given
  const send = createTransport({ base, ...limits, ...settings, fetch, now: Date.now, onAnswer: () => undefined })
  return send(outgoing).catch((error: { problem?: string; name: string }) => error.problem ?? error.name)
}

const ok = { code: 200, message: 'OK', data: { fine: true } }
const refusal = { code: 4201, message: 'Not enough', data: null }
const busy = { code: 429, message: 'Slow down', data: null }
const html = '<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>'

const plainly = (status: number, body?: unknown): Answering =>
  function answer(response) {
    const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body)
    response.writeHead(status, { date: new Date().toUTCString() }).end(text)
  }
const inEnvelope = (status: number, body: unknown): Answering =>
  function answer(response, handshake) {
    response.writeHead(status).end(encrypt(JSON.stringify(body), handshake))
  }

describe('a status that counts as success', () => {
  test.each([200, 201, 299, 300])('%i with an answer of ours is that answer', async (status) => {
    expect(await outcome(inEnvelope(status, ok), { envelope: true })).toEqual(ok)
    expect(await outcome(inEnvelope(status, refusal), { envelope: true })).toEqual(refusal)
    expect(await outcome(plainly(status, ok), { envelope: false })).toEqual(ok)
  })

  test.each([
    [200, 'request'],
    [204, 'request'],
    [299, 'request'],
    [304, 'request'],
    // The one status with a label of its own.
    [300, 'abnormal'],
  ])('%i without an answer of ours is "%s": nothing came that could be shown', async (status, problem) => {
    for (const envelope of [true, false]) expect(await outcome(plainly(status), { envelope })).toBe(problem)
    if (status === 204 || status === 304) return
    for (const envelope of [true, false]) expect(await outcome(plainly(status, html), { envelope })).toBe(problem)
  })
})

describe('any other status', () => {
  const statuses = [301, 302, 303, 305, 307, 308, 400, 401, 404, 413, 429, 500, 502, 503, 504]

  test.each(statuses)('%i without words of ours is a request error', async (status) => {
    for (const envelope of [true, false])
      for (const body of [undefined, html, '{"error":"no"}', '[]', 'null'])
        expect(await outcome(plainly(status, body), { envelope })).toBe('request')
  })

  test.each([400, 401, 404, 413, 429, 500, 502, 503])(
    '%i with our refusal in the clear is that refusal',
    async (status) => {
      for (const envelope of [true, false]) {
        expect(await outcome(plainly(status, busy), { envelope })).toEqual(busy)
        expect(await outcome(plainly(status, { code: 413 }), { envelope })).toEqual({ code: 413 })
      }
    },
  )

  test.each([302, 307])('%i is not followed: where it points is not our server', async (status) => {
    let asked = 0
    const elsewhere: Answering = (response) => {
      asked += 1
      if (asked === 1) response.writeHead(status, { location: '/elsewhere' }).end()
      else response.end(JSON.stringify(ok))
    }
    for (const envelope of [true, false]) {
      asked = 0
      expect(await outcome(elsewhere, { envelope })).toBe('request')
      expect(asked).toBe(1)
    }
  })

  test.each([400, 500, 503])('%i never grants anything, whatever its body says', async (status) => {
    expect(await outcome(plainly(status, ok), { envelope: false })).toBe('request')
    expect(await outcome(plainly(status, ok), { envelope: true })).toBe('request')
    expect(await outcome(inEnvelope(status, ok), { envelope: true })).toBe('request')
  })
})

const other: Answering = (response) => response.end(encrypt(JSON.stringify(ok), 'AnotherHandshake'))
const short: Answering = (response, handshake) => response.end(encrypt(JSON.stringify(ok), handshake).slice(0, -24))
const altered: Answering = (response, handshake) =>
  response.end(encrypt(JSON.stringify(ok), handshake).replace(/^./, (first) => (first === 'A' ? 'B' : 'A')))

describe('what is no answer of ours', () => {
  const garbage = Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 73) % 256))

  test('garbage', async () => {
    for (const envelope of [true, false])
      expect(await outcome((response) => response.end(garbage), { envelope })).toBe('request')
  })

  test('what was sealed with another handshake, cut short, or altered', async () => {
    for (const given of [other, short, altered]) expect(await outcome(given, { envelope: true })).toBe('request')
  })

  test('an answer in the clear where an envelope was asked for', async () => {
    expect(await outcome(plainly(200, ok), { envelope: true })).toBe('request')
  })

  test.each([{}, [], 'text', null, 7, { code: '200', data: {} }, { code: 200, message: 'OK' }, { data: {} }])(
    'a body of another shape: %j',
    async (body) => {
      expect(await outcome(inEnvelope(200, body), { envelope: true })).toBe('request')
      expect(await outcome((response) => response.end(JSON.stringify(body)), { envelope: false })).toBe('request')
    },
  )
})

const before: Answering = (response) => response.destroy()
const middle: Answering = (response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('half an answ', () => response.destroy())
}

const half: Answering = (response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('half an answ')
}

describe('no answer', () => {
  test('where nobody listens', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    expect(await outcome(() => {}, { envelope: true, base: `http://127.0.0.1:${port}` })).toBe('connect')
  })

  test('from a name that does not exist', async () => {
    expect(await outcome(() => {}, { envelope: true, base: 'http://nowhere.invalid' })).toBe('connect')
  })

  test('on a connection that drops before the answer, or in the middle of it', async () => {
    for (const given of [before, middle]) expect(await outcome(given, { envelope: true })).toBe('connect')
  })

  test('in time: neither at all, nor to its end', async () => {
    for (const given of [() => {}, half])
      expect(await outcome(given, { envelope: true, timeoutMs: 80 })).toBe('timeout')
  })
})
