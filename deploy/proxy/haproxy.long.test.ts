import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { freePort } from '@candela/testing/process/ports'
import { codes } from '@candela/protocol/codes/codes'
import { languages } from '@candela/protocol/language'
import { errorBody } from '@candela/server/api/error-body'
import { JSON_TYPE, securityHeaders } from '@candela/server/http/headers/security-headers'
import { MAX_UNDER_WAY, RETRY_AFTER_S } from '@candela/server/http/limits/admission'
import { expect, test } from 'vitest'
import { findProgram } from '@candela/testing/process/debian-programs'
import { needs } from '@candela/testing/process/needs'

async function startServer(listener: RequestListener) {
  const server = createServer(listener)
  // Reserved, so that no other test listens there after `stop`.
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { port, stop }
}

/** A server of which only the answers count: whether it says that it is ready, and its name for everything else. */
async function startAnswering(name: string) {
  const state = { ready: true }
  const server = await startServer((request, response) => {
    const refuses = request.url === '/readyz' && !state.ready
    response.writeHead(refuses ? 503 : 200, { connection: 'close' }).end(name)
  })
  return { ...server, name, state }
}

const template = () => readFile(join(import.meta.dirname, 'haproxy.cfg'), 'utf8')

/** The template's rules for calls that come without TLS. */
const WITHOUT_TLS = /^ *http-request (?:redirect|deny) .*\n/gm

/** HAProxy with the template, without TLS, in front of these servers, in their order. */
async function startProxy(ports: readonly number[], change = (text: string) => text.replaceAll(WITHOUT_TLS, '')) {
  const place = await mkdtemp(join(tmpdir(), 'candela-haproxy-'))
  const port = await freePort()
  const addresses = ['127.0.0.1:8210', '10.0.0.12:8210', '10.0.0.13:8210']
  let config = change(await template())
    .replace(/^ *bind :80\n/m, '')
    .replace(/bind :443(?: ssl .*)?/, `bind 127.0.0.1:${port}`)
    .replace(/127\.0\.0\.1:8405/, `127.0.0.1:${await freePort()}`)
  for (const [at, address] of addresses.entries()) {
    config =
      ports[at] === undefined
        ? config.replaceAll(new RegExp(`^ *server \\S+ ${address}.*\n`, 'gm'), '')
        : config.replaceAll(address, `127.0.0.1:${ports[at]}`)
  }
  const file = join(place, 'haproxy.cfg')
  await writeFile(file, config)
  const proxy = spawn(findProgram('haproxy') ?? 'haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const ended = once(proxy, 'exit')
  const stop = async () => {
    proxy.kill('SIGKILL')
    await ended
    await rm(place, { recursive: true, force: true })
  }
  return { port, stop }
}

/** Lists the servers that answered, of twenty requests one after the other; the status of those that nobody answered. */
async function answering(port: number): Promise<string[]> {
  const names = new Set<string>()
  for (let nth = 0; nth < 20; nth += 1) {
    // On a connection that has served a request before, HAProxy says nothing of a lost server: it closes the connection.
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })
    names.add(response.ok ? await response.text() : String(response.status))
  }
  return [...names].toSorted()
}

test('calls go to those servers that are ready; while none is, to all that answer', needs('haproxy'), async () => {
  const servers = await Promise.all(['one', 'two', 'three'].map(startAnswering))
  const [one, two, three] = servers as [(typeof servers)[0], (typeof servers)[0], (typeof servers)[0]]
  const { port, stop } = await startProxy(servers.map((server) => server.port))
  try {
    await expect.poll(() => answering(port).catch(() => [])).toEqual(['one', 'three', 'two'])
    one.state.ready = false
    await expect.poll(() => answering(port)).toEqual(['three', 'two'])
    two.state.ready = false
    three.state.ready = false
    await expect.poll(() => answering(port)).toEqual(['one', 'three', 'two'])
    await three.stop()
    expect(await answering(port)).toEqual(['one', 'two'])
    two.state.ready = true
    await expect.poll(() => answering(port)).toEqual(['two'])
  } finally {
    await stop()
    await Promise.all([one, two].map((server) => server.stop()))
  }
})

test(
  'a call without TLS is refused and not redirected, in whatever way its path is written',
  needs('haproxy'),
  async () => {
    const server = await startAnswering('one')
    const { port, stop } = await startProxy([server.port], (text) => text)
    const ask = async (path: string, method: string) => {
      const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, { method, redirect: 'manual' })
      return [status, headers.get('location')]
    }
    try {
      await expect
        .poll(() => ask('/index.html', 'GET').catch(() => []))
        .toEqual([302, expect.stringMatching(/^https:/)])
      for (const path of ['/api/v1/gateway', '/%61pi/v1/gateway', '/api/']) {
        expect(await ask(path, 'POST')).toEqual([403, null])
        expect(await ask(path, 'GET')).toEqual([403, null])
      }
    } finally {
      await stop()
      await server.stop()
    }
  },
)

/** Reads the key by which the template counts a client that says from where it comes. */
async function countedAs(port: number, address: string): Promise<string> {
  const family = address.includes(':') ? 'TCP6' : 'TCP4'
  const socket = connect(port, '127.0.0.1')
  socket.end(`PROXY ${family} ${address} ${address} 1 2\r\nGET / HTTP/1.0\r\n\r\n`)
  return (await readText(socket)).split('\r\n\r\n')[1] ?? ''
}

test(
  'connections are counted by the /64 of an IPv6 address, and by an IPv4 address as it is',
  needs('haproxy'),
  async () => {
    const counted = /track-sc0 (\S+)/.exec(await template())?.[1] ?? ''
    const { port, stop } = await startProxy([1], (config) =>
      config
        .replaceAll(
          WITHOUT_TLS,
          `    http-request return status 200 content-type text/plain lf-string "%[${counted}]"\n`,
        )
        .replace(/(bind :443) .*/, '$1 accept-proxy')
        .replace(/^ *tcp-request connection .*\n/gm, ''),
    )
    try {
      await expect.poll(() => countedAs(port, '203.0.113.9').catch(() => '')).toBe('203.0.113.9')
      expect(await countedAs(port, '203.0.113.10')).toBe('203.0.113.10')
      const network = await countedAs(port, '2001:db8:1:2:a:b:c:d')
      expect(network).toBe('2001:db8:1:2::')
      expect(await countedAs(port, '2001:db8:1:2::1')).toBe(network)
      expect(await countedAs(port, '2001:db8:1:3::1')).not.toBe(network)
      expect(await countedAs(port, '2001:db8::1:2:3:4')).toBe(await countedAs(port, '2001:db8::9'))
    } finally {
      await stop()
    }
  },
)

const ROOM = 2

/** A proxy in front of a server with room for two calls. GET /api/held is answered when the test ends its response. */
async function startFull() {
  const held: ServerResponse[] = []
  const [asked, sent]: [number[], number[]] = [[], []]
  const server = await startServer((request, response) => {
    const bytes = Number(/^\/api\/bytes\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0)
    asked.push(bytes)
    response.once('finish', () => sent.push(bytes))
    if (request.url === '/api/held' && request.method === 'GET') held.push(response)
    else response.end('x'.repeat(bytes))
  })
  const proxy = await startProxy([server.port], (text) =>
    // Or else the system would hold an answer that a client does not take.
    text
      .replaceAll(WITHOUT_TLS, '')
      .replace(`maxconn ${MAX_UNDER_WAY}\n`, `maxconn ${ROOM}\n`)
      .replace('global\n', 'global\n    tune.sndbuf.client 4096\n'),
  )
  const stop = () => proxy.stop().then(server.stop)
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${proxy.port}${path}`, init)
  const statusOf = (path: string) => () =>
    ask(path).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(statusOf('/')).toBe(200)
  return { port: proxy.port, held, asked, sent, ask, statusOf, stop }
}

test(
  'a call for which no server has room gets the refusal that a server would send; files and preflights are passed on',
  needs('haproxy'),
  async () => {
    // As many as a server works on at once.
    expect(await template()).toContain(`    default-server maxconn ${MAX_UNDER_WAY}\n`)
    const lines = securityHeaders({
      publicOrigin: 'https://app.example.org',
      connectOrigins: [],
      imageOrigins: [],
      apiOrigin: undefined,
      inlineHashes: { scripts: [], styles: [] },
    }).api
    const { held, ask, statusOf, stop } = await startFull()
    try {
      const first = [ask('/api/held'), ask('/api/held')]
      await expect.poll(() => held.length).toBe(ROOM)
      for (const lang of languages) {
        const refused = await ask('/api/held', { headers: { LANG: lang.toUpperCase() } })
        expect(refused.status).toBe(503)
        expect(Object.fromEntries(refused.headers)).toMatchObject({
          ...lines,
          'content-type': JSON_TYPE,
          'retry-after': String(RETRY_AFTER_S),
        })
        expect(await refused.json()).toEqual(errorBody(codes.slowDown, { seconds: RETRY_AFTER_S }, lang))
      }
      // Without a language it is the same as with one that nobody knows.
      expect(await (await ask('/api/held')).json()).toEqual(errorBody(codes.slowDown, { seconds: RETRY_AFTER_S }, 'tw'))
      expect((await ask('/index.html')).status).toBe(200)
      expect((await ask('/api/held', { method: 'OPTIONS' })).status).toBe(200)
      expect((await ask('/%61pi/held')).status).toBe(503)
      for (const response of held.splice(0)) response.end()
      for (const answer of first) expect((await answer).status).toBe(200)
      await expect.poll(statusOf('/api/bytes/1')).toBe(200)
    } finally {
      await stop()
    }
  },
)

test(
  'clients that take an answer slowly leave the room to others, up to the largest answer of the API',
  needs('haproxy', 'perl'),
  async () => {
    const { port, asked, sent, ask, statusOf, stop } = await startFull()
    // In Perl, because Node cannot make the buffer of a socket small: the system would take such an answer for the client.
    const slowly = (bytes: number) => {
      const program = `
      my $socket;
      socket($socket, PF_INET, SOCK_STREAM, 0) and setsockopt($socket, SOL_SOCKET, SO_RCVBUF, 4096) or die;
      connect($socket, sockaddr_in(${port}, inet_aton('127.0.0.1'))) or die;
      syswrite($socket, "GET /api/bytes/${bytes} HTTP/1.1\\r\\nHost: here\\r\\n\\r\\n");
      sleep`
      return spawn(findProgram('perl') ?? 'perl', ['-MSocket', '-e', program], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    }
    const clients = [slowly(120_000), slowly(120_000)]
    try {
      await expect.poll(() => sent.filter((bytes) => bytes === 120_000).length).toBe(ROOM)
      await expect.poll(statusOf('/api/bytes/1')).toBe(200)
      // A body that does not fit into the proxy takes a place until it is taken: that can be seen here.
      clients.push(slowly(50_000_000), slowly(50_000_000))
      await expect.poll(() => asked.filter((bytes) => bytes === 50_000_000).length).toBe(ROOM)
      await expect.poll(statusOf('/api/bytes/1')).toBe(503)
      expect((await ask('/index.html')).status).toBe(200)
    } finally {
      for (const client of clients) client.kill('SIGKILL')
      await stop()
    }
  },
)
