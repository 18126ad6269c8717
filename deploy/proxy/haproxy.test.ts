import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@candela/devnet/process/ports'
import { expect, test } from 'vitest'
import { findProgram, whySkipped } from '@candela/devnet/process/debian-programs'

/** A server of which only the answers count: whether it says that it is ready, and its name for everything else. */
async function startAnswering(name: string) {
  const state = { ready: true }
  const server = createServer((request, response) => {
    const refuses = request.url === '/readyz' && !state.ready
    response.writeHead(refuses ? 503 : 200, { connection: 'close' }).end(name)
  })
  // Reserved, so that no other test listens there after `stop`.
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { name, port, state, stop }
}

/** What answered, of twenty requests one after the other; the status of those that nobody answered. */
async function answering(port: number): Promise<string[]> {
  const names = new Set<string>()
  for (let nth = 0; nth < 20; nth += 1) {
    // On a connection that has served a request before, HAProxy says nothing of a lost server: it closes the connection.
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })
    names.add(response.ok ? await response.text() : String(response.status))
  }
  return [...names].toSorted()
}

test('calls go to those servers that are ready; while none is, to all that answer', async ({ skip }) => {
  const missing = whySkipped('haproxy')
  skip(missing !== undefined, missing)
  const servers = await Promise.all(['one', 'two', 'three'].map(startAnswering))
  const [one, two, three] = servers as [(typeof servers)[0], (typeof servers)[0], (typeof servers)[0]]
  const place = await mkdtemp(join(tmpdir(), 'candela-haproxy-'))
  const port = await freePort()
  const text = (await readFile(join(import.meta.dirname, 'haproxy.cfg'), 'utf8'))
    .replace(/^ *bind :80\n/m, '')
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace(/^ *http-request redirect .*\n/m, '')
    .replace(/127\.0\.0\.1:8405/, `127.0.0.1:${await freePort()}`)
    .replaceAll('127.0.0.1:8210', `127.0.0.1:${one.port}`)
    .replaceAll('10.0.0.12:8210', `127.0.0.1:${two.port}`)
    .replaceAll('10.0.0.13:8210', `127.0.0.1:${three.port}`)
  const file = join(place, 'haproxy.cfg')
  await writeFile(file, text)
  const proxy = spawn(findProgram('haproxy') ?? 'haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const ended = once(proxy, 'exit')
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
    proxy.kill('SIGKILL')
    await ended
    await Promise.all([one, two].map(({ stop }) => stop()))
    await rm(place, { recursive: true, force: true })
  }
})
