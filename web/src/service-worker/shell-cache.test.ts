import { beforeEach, describe, expect, test } from 'vitest'
import { createShellCache } from './shell-cache.ts'

const ORIGIN = 'https://app.example.org'
const SCRIPT = '/assets/index-3f9a.js'

const urlOf = (request: RequestInfo | URL) =>
  new URL(request instanceof Request ? request.url : request, ORIGIN).pathname

/** The browser's cache storage, in memory. */
function memoryCaches() {
  const all = new Map<string, Map<string, Response>>()
  const cacheOf = (name: string): Pick<Cache, 'match' | 'put' | 'addAll'> => {
    const entries = all.get(name) ?? new Map<string, Response>()
    all.set(name, entries)
    return {
      match: (request) => Promise.resolve(entries.get(urlOf(request))?.clone()),
      put: (request, response) => Promise.resolve(void entries.set(urlOf(request), response)),
      async addAll(requests) {
        for (const request of requests) entries.set(urlOf(request), await network(request))
      },
    }
  }
  return {
    all,
    open: (name: string) => Promise.resolve(cacheOf(name) as Cache),
    keys: () => Promise.resolve([...all.keys()]),
    delete: (name: string) => Promise.resolve(all.delete(name)),
    match: (request: RequestInfo | URL) => {
      for (const entries of all.values()) {
        const known = entries.get(urlOf(request))
        if (known !== undefined) return Promise.resolve(known.clone())
      }
      return Promise.resolve(undefined)
    },
  }
}

let reachable: boolean
let status: number
let asked: string[]
let slow: Promise<void>
let patience: PromiseWithResolvers<void>
let isOnline: boolean
/** How many of the next requests are lost. */
let losses: number
let caches: ReturnType<typeof memoryCaches>
let build: string

async function network(request: RequestInfo): Promise<Response> {
  const pathname = urlOf(request)
  asked.push(pathname)
  await slow
  if (losses > 0) {
    losses -= 1
    throw new TypeError('Failed to fetch')
  }
  if (!reachable) throw new TypeError('Failed to fetch')
  return new Response(`${build} ${pathname}`, { status })
}

beforeEach(() => {
  reachable = true
  status = 200
  asked = []
  slow = Promise.resolve()
  isOnline = true
  losses = 0
  patience = Promise.withResolvers()
  caches = memoryCaches()
  build = 'first'
})

const shellOf = (version: string) =>
  createShellCache({
    caches,
    fetch: network,
    files: [SCRIPT],
    version,
    isOnline: () => isOnline,
    // Only the page is waited for so long.
    pause: (ms) => (ms < 4_000 ? Promise.resolve() : patience.promise),
  })

async function installed(version = 'first') {
  const shell = shellOf(version)
  await shell.install()
  asked = []
  return shell
}

/** As a page asks. A `Request` cannot be made as a navigation, so it is said beside it. */
const request = (path: string, { method = 'GET', navigates = false, origin = ORIGIN } = {}): Request => {
  const made = new Request(origin + path, { method })
  return navigates ? Object.defineProperty(made, 'mode', { value: 'navigate' }) : made
}
const page = () => request('/', { navigates: true })
const textOf = async (answer: Promise<Response> | null) => (await answer)?.text()

describe('the page', () => {
  test('is the server’s while it answers', async () => {
    const shell = await installed()
    build = 'second'
    expect(await textOf(shell.answer(page(), ORIGIN))).toBe('second /')
  })

  test('is the kept one without a connection, while the server restarts, and when it is slow', async () => {
    const shell = await installed()
    build = 'second'
    reachable = false
    expect(await textOf(shell.answer(page(), ORIGIN))).toBe('first /')
    reachable = true
    status = 503
    expect(await textOf(shell.answer(page(), ORIGIN))).toBe('first /')
    slow = new Promise(() => undefined)
    const late = textOf(shell.answer(page(), ORIGIN))
    patience.resolve()
    expect(await late).toBe('first /')
  })

  test('fails where nothing is kept, as it would by itself', async () => {
    const shell = shellOf('first')
    reachable = false
    await expect(shell.answer(page(), ORIGIN)).rejects.toThrow('Failed to fetch')
  })
})

test('a file with its content in its name is asked for once', async () => {
  const shell = await installed()
  expect(await textOf(shell.answer(request(SCRIPT), ORIGIN))).toBe(`first ${SCRIPT}`)
  expect(asked).toEqual([])
  const later = '/assets/order-1a2b.js'
  expect(await textOf(shell.answer(request(later), ORIGIN))).toBe(`first ${later}`)
  reachable = false
  expect(await textOf(shell.answer(request(later), ORIGIN))).toBe(`first ${later}`)
  expect(asked).toEqual([later])
})

test.each([1, 2])('a file that was lost %i times is there, and kept', async (times) => {
  const shell = await installed()
  const later = '/assets/order-1a2b.js'
  losses = times
  expect(await textOf(shell.answer(request(later), ORIGIN))).toBe(`first ${later}`)
  expect(asked).toEqual(Array<string>(times + 1).fill(later))
  reachable = false
  expect(await textOf(shell.answer(request(later), ORIGIN))).toBe(`first ${later}`)
})

test('a file that is lost three times, or without a connection, is not there', async () => {
  const shell = await installed()
  losses = 3
  await expect(shell.answer(request('/assets/order-1a2b.js'), ORIGIN)).rejects.toThrow('Failed to fetch')
  expect(asked).toHaveLength(3)
  losses = 1
  isOnline = false
  await expect(shell.answer(request('/assets/order-1a2b.js'), ORIGIN)).rejects.toThrow('Failed to fetch')
  expect(asked).toHaveLength(4)
})

test('an answer that is no success is not kept', async () => {
  const shell = await installed()
  status = 404
  await shell.answer(request('/assets/gone.js'), ORIGIN)
  status = 200
  expect((await shell.answer(request('/assets/gone.js'), ORIGIN))?.status).toBe(200)
})

test('nothing of the API, of other origins, or that changes anything is ever answered or kept', async () => {
  const shell = await installed()
  const kept = [...caches.all.values()].flatMap((entries) => [...entries.keys()])
  expect(kept).toEqual(['/', SCRIPT])
  for (const [path, options] of [
    ['/api/v1/user/info', {}],
    ['/api/v1/gateway', { method: 'POST' }],
    ['/api/v1/user/info', { navigates: true }],
    ['/docs', { navigates: true }],
    ['/healthz', {}],
    [SCRIPT, { method: 'POST' }],
    [SCRIPT, { origin: 'https://evil.example' }],
  ] as const)
    expect([path, shell.answer(request(path, options), ORIGIN)]).toEqual([path, null])
  expect(asked).toEqual([])
})

test('a new build replaces what the one before has kept, and other caches are left alone', async () => {
  await installed('first')
  await caches.open('somebody else')
  build = 'second'
  const second = await installed('second')
  await second.activate()
  expect([...caches.all.keys()]).toEqual(['somebody else', 'candela-shell-second'])
  reachable = false
  expect(await textOf(second.answer(page(), ORIGIN))).toBe('second /')
})
