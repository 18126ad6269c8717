import { afterEach, describe, expect, test, vi } from 'vitest'

/** A build of the app takes from its environment where calls go, how, and what is logged of them. */

const wiring = {
  token: () => 'the-token',
  language: () => 'tw' as const,
  sessionEnded: vi.fn(),
  notify: vi.fn(),
  describe: (problem: string) => `described ${problem}`,
}

/** The client as another build has it, with what it sends and logs. */
async function builtFor(environment: Record<string, string>, answerWith: () => Promise<Response>) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const hear = new Map<string, () => void>()
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => hear.set(name, listener))
  const fetch = vi.fn((_url: string, _init: RequestInit) => answerWith())
  vi.stubGlobal('fetch', fetch)
  const logged = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => {}),
  )
  vi.resetModules()
  const client = await import('./call.ts')
  client.wireApi(wiring)
  return { ...client, fetch, hear, lines: () => logged.flatMap(({ mock }) => mock.calls) }
}
const answered = () => Promise.resolve(Response.json({ code: 200, message: '', data: { token: 'new-token' } }))

describe('the environment', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    wiring.notify.mockClear()
  })

  const login = { address: '0xabc', message: 'the message', sign_message: '0x5e5e', code: 'CODE' }

  test('of development: plain routes below the base URL, and a line a request without secrets', async () => {
    const {
      call: send,
      fetch,
      lines,
    } = await builtFor({ MODE: 'devnet', VITE_API_BASE: 'https://api.example/' }, answered)
    await send('POST auth/login', login)
    const [url, init] = fetch.mock.calls[0] ?? []
    expect(url).toBe('https://api.example/api/v1/auth/login')
    expect(init?.headers).toEqual({
      'Content-Type': 'application/x-www-form-urlencoded',
      LANG: 'TW',
      Authorization: 'the-token',
    })
    expect(lines()).toHaveLength(1)
    expect(JSON.stringify(lines())).toMatch(/\[api\] POST auth\/login 200 \d+ ms.*0xabc.*CODE/)
    expect(JSON.stringify(lines())).not.toMatch(/the-token|new-token|the message|0x5e5e/)
  })

  test('of development: a request that failed has its line too', async () => {
    const { call: send, lines } = await builtFor({ MODE: 'devnet' }, () => Promise.reject(new TypeError('down')))
    await expect(send('GET user/info', {})).rejects.toMatchObject({ problem: 'connect' })
    expect(JSON.stringify(lines())).toMatch(/GET user\/info connect \d+ ms/)
  })

  test('of production: the gateway below the base URL, nothing readable, and no line', async () => {
    const {
      call: send,
      fetch,
      lines,
    } = await builtFor({ MODE: 'production', VITE_API_BASE: 'https://api.example' }, answered)
    await expect(send('POST auth/login', login)).rejects.toMatchObject({ problem: 'request' })
    const [url, init] = fetch.mock.calls[0] ?? []
    expect(url).toBe('https://api.example/api/v1/gateway')
    expect([...new URLSearchParams(init?.body as string).keys()]).toEqual(['handshake', 'timestamp', 'sign', 'data'])
    expect(init?.headers).not.toHaveProperty('Authorization')
    expect(JSON.stringify(init)).not.toMatch(/the-token|login|0xabc/)
    expect(lines()).toEqual([])
  })

  test('a page that is being left says nothing of the requests that this breaks off, until it is back', async () => {
    const { call: send, hear } = await builtFor({ MODE: 'production' }, () => Promise.reject(new TypeError('gone')))
    hear.get('pagehide')?.()
    await expect(send('GET user/info', {})).rejects.toMatchObject({ problem: 'connect' })
    expect(wiring.notify).not.toHaveBeenCalled()
    hear.get('pageshow')?.()
    await expect(send('GET user/info', {})).rejects.toMatchObject({ problem: 'connect' })
    expect(wiring.notify).toHaveBeenCalledWith('described connect')
  })
})
