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

const limits = { timeoutMs: 50_000, retries: 0, retryDelayMs: 1_000, now: Date.now, onAnswer: () => undefined }

const over = (given: typeof fetch, changes: Partial<Parameters<typeof createTransport>[0]> = {}) =>
  createTransport({ base: '', envelope: false, ...limits, fetch: given, ...changes })

test('statuses 200 to 300 and 304 are success', () => {
  expect([199, 200, 204, 299, 300, 301, 303, 304, 305, 400, 500].filter(succeeded)).toEqual([200, 204, 299, 300, 304])
})

describe('plain', () => {
  test('a read has its fields in the query, a command in a form', async () => {
    const { asked, fetch } = server(Response.json(ok), Response.json(ok))
    const send = over(fetch, { base: 'https://api.example' })
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
})

/** Seals an answer with the handshake of the request, as the gateway does. */
const gateway = (answers: (form: URLSearchParams) => Response | Promise<Response>) =>
  vi.fn(async (_url: unknown, init?: RequestInit) => await answers(new URLSearchParams(init?.body as string)))

const sealed = async (form: URLSearchParams) =>
  new Response((await seal(ok as never, form.get('handshake') ?? '', 0)).data, {
    headers: { date: new Date().toUTCString() },
  })

/** The time of a server whose clock is so many hours ahead of ours. */
const hoursFromHere = (hours: number): number => Date.now() + hours * 3_600_000

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
    const send = over(fetch, { envelope: true })
    expect(await send(outgoing)).toEqual(ok)
    const [url, init] = fetch.mock.calls[0] ?? []
    expect(url).toBe('/api/v1/gateway')
    // Outside stands the language, for what cannot be opened, and nothing of the session.
    expect(init).toMatchObject({ method: 'POST', credentials: 'omit', cache: 'no-store', redirect: 'manual' })
    expect(init?.headers).toEqual({ 'Content-Type': 'application/x-www-form-urlencoded', LANG: 'EN' })
  })

  test('a device whose clock is wrong is refused once, then speaks by the clock of the server', async () => {
    const stamps: number[] = []
    const fetch = gateway((form) => {
      stamps.push(Number(form.get('timestamp')))
      if (Math.abs(Number(form.get('timestamp')) - hoursFromHere(1)) < 120_000) return sealed(form)
      const refusal = { code: 400, message: 'stale', data: null }
      return Response.json(refusal, { status: 400, headers: { date: new Date(hoursFromHere(1)).toUTCString() } })
    })
    const send = over(fetch, { envelope: true })
    expect(await send(outgoing)).toEqual(ok)
    expect(await send(outgoing)).toEqual(ok)
    expect(stamps).toHaveLength(3)
  })

  test('of several requests sent at once by a wrong clock none is refused in the end', async () => {
    let asked = 0
    const fetch = gateway((form) => {
      asked += 1
      if (Math.abs(Number(form.get('timestamp')) - hoursFromHere(-1)) < 120_000) return sealed(form)
      const refusal = { code: 400, message: 'stale', data: null }
      return Response.json(refusal, { status: 400, headers: { date: new Date(hoursFromHere(-1)).toUTCString() } })
    })
    const send = over(fetch, { envelope: true })
    expect(await Promise.all([send(outgoing), send(outgoing), send(outgoing)])).toEqual([ok, ok, ok])
    expect(asked).toBe(6)
  })

  test.each([429, 503])(
    'a server with another clock that is too busy (%i) is not asked again at once',
    async (status) => {
      const refusal = { code: 429, message: 'slow down', data: null }
      const headers = { date: new Date(Date.now() + 3_600_000).toUTCString() }
      const { asked, fetch } = server(Response.json(refusal, { status, headers }))
      expect(await over(fetch, { envelope: true })(outgoing)).toEqual(refusal)
      expect(asked).toHaveLength(1)
    },
  )

  test('any other refusal is not sent again', async () => {
    const refusal = { code: 400, message: 'bad', data: null }
    const { asked, fetch } = server(
      Response.json(refusal, { status: 400, headers: { date: new Date().toUTCString() } }),
    )
    expect(await over(fetch, { envelope: true })(outgoing)).toEqual(refusal)
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
      const waiting = over(never)(outgoing)
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
    const waiting = over(never)({ ...outgoing, signal: caller.signal })
    caller.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  })
})

const down = () => new TypeError('network down')

/** Runs until everything that waits has waited; tells after how many milliseconds each request went out. */
async function timesOf(send: (fetch: typeof globalThis.fetch) => Promise<unknown>, ...responses: (Response | Error)[]) {
  vi.useFakeTimers({ now: 0 })
  try {
    const times: number[] = []
    const { fetch } = server(...responses)
    const outcome = send((...request) => {
      times.push(Date.now())
      return fetch(...request)
    }).then(
      () => 'answered',
      (error: Error) => error.name,
    )
    await vi.advanceTimersByTimeAsync(60_000)
    return { times, outcome: await outcome }
  } finally {
    vi.useRealTimers()
  }
}

const again =
  (changes: Partial<Parameters<typeof createTransport>[0]>, asked: Partial<Outgoing> = {}) =>
  (fetch: typeof globalThis.fetch) =>
    over(fetch, changes)({ ...outgoing, ...asked })

describe('asking again', () => {
  test('does not happen by default', async () => {
    expect(await timesOf(again({}), down(), Response.json(ok))).toEqual({
      times: [0],
      outcome: 'TransportError',
    })
  })

  test('happens as often as the setting says, after the delay that it says', async () => {
    expect(await timesOf(again({ retries: 1 }), down(), Response.json(ok))).toEqual({
      times: [0, 1_000],
      outcome: 'answered',
    })
    expect(await timesOf(again({ retries: 1 }), down(), down(), Response.json(ok))).toEqual({
      times: [0, 1_000],
      outcome: 'TransportError',
    })
    expect((await timesOf(again({ retries: 2, retryDelayMs: 250 }), down(), down(), Response.json(ok))).times).toEqual([
      0, 250, 500,
    ])
  })

  test('is for reads and for commands that the server knows by their id', async () => {
    expect(
      (await timesOf(again({ retries: 1 }, { key: 'POST withdraw/apply' }), down(), Response.json(ok))).times,
    ).toEqual([0])
    const named = { key: 'POST withdraw/apply', fields: { requestId: 'abcdefgh' } } as const
    expect((await timesOf(again({ retries: 1 }, named), down(), Response.json(ok))).times).toEqual([0, 1_000])
  })

  test('is not for refusals, and ends when the caller gives up', async () => {
    const refusal = Response.json({ code: 4201, message: 'no', data: null })
    expect((await timesOf(again({ retries: 1 }), refusal, Response.json(ok))).times).toEqual([0])
    const caller = new AbortController()
    const givenUp = (fetch: typeof globalThis.fetch) => {
      setTimeout(() => caller.abort(), 500)
      return over(fetch, { retries: 1 })({ ...outgoing, signal: caller.signal })
    }
    expect(await timesOf(givenUp, down(), Response.json(ok))).toEqual({ times: [0], outcome: 'AbortError' })
  })
})

test('a page that came without TLS is told so, before anything is sent', async () => {
  const { fetch } = server(Response.json(ok))
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes })
  try {
    await expect(over(fetch, { envelope: true })(outgoing)).rejects.toMatchObject({ problem: 'insecure' })
  } finally {
    vi.unstubAllGlobals()
  }
  expect(fetch).not.toHaveBeenCalled()
  await expect(over(fetch)(outgoing)).resolves.toEqual(ok)
})
