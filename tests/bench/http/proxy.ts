import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@candela/testing/process/ports'
import { type GuardedProcess, spawnGuarded } from '@candela/testing/process/spawn-guarded'

export type ProxyName = 'haproxy' | 'nginx'

export type Proxy = { port: number; pid: number; stop: () => Promise<void> }

const folder = join(import.meta.dirname, '../../../deploy/proxy')

/**
 * Starts a proxy in front of a server on this machine, with the configuration of deploy/. Only ports, TLS, the number of
 * servers and of HAProxy's threads, the checks whether a server is ready, and the place of its files differ.
 * @throws Error when the proxy refuses its configuration
 */
export async function startProxy(name: ProxyName, serverPort: number): Promise<Proxy> {
  const place = await mkdtemp(join(tmpdir(), `candela-${name}-`))
  const port = await freePort()
  const file = join(place, 'proxy.conf')
  const text = await readFile(join(folder, name === 'haproxy' ? 'haproxy.cfg' : 'nginx.conf'), 'utf8')
  await writeFile(file, name === 'haproxy' ? haproxyHere(text, port, serverPort) : nginxHere(text, port, serverPort))
  const program = `/usr/sbin/${name}`
  const [check, run] =
    name === 'haproxy'
      ? [
          ['-c', '-q', '-f', file],
          ['-db', '-q', '-f', file],
        ]
      : nginxArguments(place)
  execFileSync(program, check, { stdio: ['ignore', 'ignore', 'inherit'] })
  const running = await spawnGuarded(program, run)
  await untilListening(running, port)
  return {
    port,
    pid: running.pid,
    async stop() {
      await running.stop(1_000)
      await rm(place, { recursive: true, force: true })
    },
  }
}

function haproxyHere(text: string, port: number, serverPort: number): string {
  return replaced(text, [
    [/^ *server api[23].*\n/gm, ''],
    // HAProxy shares few processors with the server and the load generator.
    [/^global\n/m, 'global\n    nbthread 1\n'],
    // The server of a benchmark has no chain, so it is never ready.
    [/ check\n/, '\n'],
    [/ track candela\/api1\n/, '\n'],
    [/^frontend metrics\n(?: +.*\n)+/m, ''],
    [/^ *bind :80\n/m, ''],
    [/bind :443 .*/, `bind 127.0.0.1:${port}`],
    [/^ *http-request redirect .*\n/m, ''],
    [/^ *http-request deny deny_status 403 .*\n/m, ''],
    [/127\.0\.0\.1:8210/g, `127.0.0.1:${serverPort}`],
  ])
}

function nginxHere(text: string, port: number, serverPort: number): string {
  return replaced(text, [
    [/ {2}server \{\n {4}listen 80;[^}]*\}\n/, ''],
    [/listen 443 .*/, `listen 127.0.0.1:${port};`],
    [/^ *ssl_.*\n/gm, ''],
    [/127\.0\.0\.1:8210/, `127.0.0.1:${serverPort}`],
  ])
}

function replaced(text: string, changes: readonly (readonly [RegExp, string])[]): string {
  return changes.reduce((all, [pattern, value]) => {
    const changed = all.replace(pattern, value)
    if (changed === all) throw new Error(`the configuration has nothing like ${pattern.source}`)
    return changed
  }, text)
}

function nginxArguments(place: string): [string[], string[]] {
  const common = ['-p', place, '-c', 'proxy.conf', '-e', 'error.log']
  return [
    ['-t', '-q', ...common, '-g', `pid ${place}/pid;`],
    [...common, '-g', `daemon off; pid ${place}/pid;`],
  ]
}

async function untilListening(running: GuardedProcess, port: number): Promise<void> {
  let hasEnded = false
  void running.exited.then(() => (hasEnded = true))
  while (!(await accepts(port))) {
    if (hasEnded) throw new Error('the proxy has ended')
    await sleep(20)
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
