import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildServer, serverProgram } from '@candela/testing/build/build-server'
import { startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { must } from '@candela/server/kernel/assert'
import { startChainForServer } from '@candela/testing/server/test-config'
import { connections, get } from '../http/http-load.ts'
import { freePort } from '@candela/testing/process/ports'

type Options = {
  /** Beyond what production sets. */
  env?: Record<string, string>
  /** For Node. */
  nodeArguments?: readonly string[]
}

/** A Postgres (fsync on) and a chain, for servers as production runs them. */
export type Place = Awaited<ReturnType<typeof startPlace>>

export async function startPlace() {
  const folder = await mkdtemp(join(tmpdir(), 'candela-bench-'))
  const postgres = await startEmbeddedPostgres({ folder, settings: { max_connections: 200 } })
  const { chain, env: settings } = await startChainForServer()
  const stop = async (): Promise<void> => {
    await chain.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { folder, postgres, settings, chain, gateway: chain.gateway, stop }
}

/** A server in a process of its own. Its log goes to a file. */
export async function startServer(
  { folder, postgres, settings }: Place,
  { env = {}, nodeArguments = [] }: Options = {},
): Promise<{ port: number; pid: number; stop: () => Promise<void> }> {
  await buildServer(() => undefined)
  const log = await open(join(folder, 'server.log'), 'a')
  const port = await freePort()
  const child = spawn(process.execPath, [...nodeArguments, serverProgram], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...settings,
      NODE_ENV: 'production',
      // The default of production; the settings of tests poll every 50 ms.
      POLL_INTERVAL_MS: '1000',
      DRAIN_MS: '0',
      LOG_LEVEL: 'info',
      EXIT_WITH_PARENT: 'on',
      PORT: String(port),
      PUBLIC_ORIGIN: 'https://app.example.org',
      RPC_URLS: 'https://rpc.example.org',
      DATABASE_URL: postgres.url(),
      // A few members stand for many.
      RATE_LIMIT_SCALE: '1000000',
      ...env,
    },
    stdio: ['pipe', log.fd, log.fd],
  })
  await log.close()
  const stop = () => ended(child)
  if (await answers(port)) return { port, pid: must(child.pid, 'a process that answers has a number'), stop }
  await stop()
  throw new Error('the service does not answer')
}

/** One server with a Postgres and a chain of its own. `stop` waits for its end and takes all away. */
export async function startService(options: Options = {}) {
  const place = await startPlace()
  try {
    const { port, pid, stop } = await startServer(place, options)
    return { port, pid, url: place.postgres.url(), gateway: place.gateway, stop: () => stop().then(place.stop) }
  } catch (error) {
    await place.stop()
    throw error
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const end = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await end
}

export async function answers(port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const [connection] = connections(port, 1)
    const answer = await connection?.ask(get('/healthz'))
    connection?.close()
    if (answer?.status === 200) return true
    await sleep(50)
  }
  return false
}
