import { describe, expect, test, vi } from 'vitest'
import { open, seal } from './envelope.ts'
import { createTransport, succeeded } from './transport.ts'
import type { Outgoing } from './transport.ts'

const outgoing: Outgoing = {
  key: 'GET user/info',
  fields: { a: '1 &' },
  token: 'token',
  lang: 'EN',
  signal: null,
}

const ok = { code: 200, message: 'OK', data: { fine: true } }

/** A server that answers with each of the given responses in turn and keeps what it was asked. */
function server(...responses: (Response | Error)[]) {
  const asked: { url: string; init: RequestInit }[] = []
  const fetch = vi.fn((url: unknown, init?: RequestInit) => {
    asked.push({ url: String(url), init: init ?? {} })
    const next = responses.shift()
    return next instanceof Response ? Promise.resolve(next) : Promise.reject(next ?? new Error('asked too often'))
  })
  return { asked, fetch }
}

test('statuses 200 to 300 and 304 are success', () => {
  expect([199, 200, 204, 300, 301, 304, 400, 500].filter(succeeded)).toEqual([200, 204, 300, 304])
})

describe('plain', () => {
  test('a read has its fields in the query, a command in a form', async () => {
    const { asked, fetch } = server(Response.json(ok), Response.json(ok))
    const send = createTransport({ base: 'https://api.example', envelope: false, fetch })
    expect(await send(outgoing)).toEqual(ok)
    await send({ ...outgoing, key: 'POST auth/logout', token: '' })
    expect(asked[0]).toMatchObject({
      url: 'https://api.example/api/v1/user/info?a=1+%26',
      init: { headers: { LANG: 'EN', Authorization: 'token' } },
    })
    expect(asked[1]).toMatchObject({
      url: 'https://api.example/api/v1/auth/logout',
      init: { method: 'POST', body: 'a=1+%26', headers: { LANG: 'EN' } },
    })
    expect(asked[1]?.init.headers).not.toHaveProperty('Authorization')
  })

  test('a body of ours is an answer whatever its status', async () => {
    const refusal = { code: 429, message: 'slow down', data: null }
    const { fetch } = server(Response.json(refusal, { status: 429 }))
    expect(await createTransport({ base: '', envelope: false, fetch })(outgoing)).toEqual(refusal)
  })

  test.each([
    [new Response('<html>', { status: 502 }), 'request'],
    [new Response('', { status: 300 }), 'abnormal'],
    [new TypeError('network down'), 'connect'],
  ])('what is no answer is said by its kind', async (response, problem) => {
    const { fetch } = server(response)
    await expect(createTransport({ base: '', envelope: false, fetch })(outgoing)).rejects.toMatchObject({ problem })
  })
})

/** Seals an answer with the handshake of the request, as the gateway does. */
const gateway = (answers: (form: URLSearchParams) => Response) =>
  vi.fn((_url: unknown, init?: RequestInit) => Promise.resolve(answers(new URLSearchParams(init?.body as string))))

const sealed = (form: URLSearchParams) =>
  new Response(seal(ok as never, form.get('handshake') ?? '', 0).data, {
    headers: { date: new Date().toUTCString() },
  })

describe('in envelopes', () => {
  test('everything travels to the one path, and the answer is opened', async () => {
    const fetch = gateway((form) => {
      expect(open(form.get('data') ?? '', form.get('handshake') ?? '')).toEqual({
        method: 'GET',
        url: '/api/v1/user/info',
        params: { a: '1 &' },
        headers: { LANG: 'EN', Authorization: 'token' },
      })
      return sealed(form)
    })
    const send = createTransport({ base: '', envelope: true, fetch })
    expect(await send(outgoing)).toEqual(ok)
    expect(fetch.mock.calls[0]?.[0]).toBe('/api/v1/gateway')
  })

  test('a device whose clock is wrong is refused once, then speaks by the clock of the server', async () => {
    const serverNow = Date.now() + 3_600_000
    const stamps: number[] = []
    const fetch = gateway((form) => {
      stamps.push(Number(form.get('timestamp')))
      if (Math.abs(Number(form.get('timestamp')) - serverNow) < 120_000) return sealed(form)
      const refusal = { code: 400, message: 'stale', data: null }
      return Response.json(refusal, { status: 400, headers: { date: new Date(serverNow).toUTCString() } })
    })
    const send = createTransport({ base: '', envelope: true, fetch })
    expect(await send(outgoing)).toEqual(ok)
    expect(await send(outgoing)).toEqual(ok)
    expect(stamps).toHaveLength(3)
  })

  test('any other refusal is not sent again', async () => {
    const refusal = { code: 400, message: 'bad', data: null }
    const { asked, fetch } = server(
      Response.json(refusal, { status: 400, headers: { date: new Date().toUTCString() } }),
    )
    expect(await createTransport({ base: '', envelope: true, fetch })(outgoing)).toEqual(refusal)
    expect(asked).toHaveLength(1)
  })
})

/** A server that never answers. */
const never = (_url: unknown, init?: RequestInit) =>
  new Promise<Response>((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError'))),
  )

describe('waiting', () => {
  test('ends after 50 seconds, and says that it was the time', async () => {
    vi.useFakeTimers()
    try {
      const waiting = createTransport({ base: '', envelope: false, fetch: never })(outgoing)
      const ended = vi.fn()
      waiting.catch(ended)
      await vi.advanceTimersByTimeAsync(49_999)
      expect(ended).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      expect(ended).toHaveBeenCalledWith(expect.objectContaining({ problem: 'timeout' }))
    } finally {
      vi.useRealTimers()
    }
  })

  test('what the caller gave up is no failure of the connection', async () => {
    const caller = new AbortController()
    const waiting = createTransport({ base: '', envelope: false, fetch: never })({ ...outgoing, signal: caller.signal })
    caller.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  })
})
