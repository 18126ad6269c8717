/** The whole product in many processes on one machine: the database layer, Redis, the development chain, api servers and workers, a proxy. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cleanup, startGround } from '../devnet.ts'
import { openLogFile, startServer } from '../server-process.ts'
import { supervise } from '@candela/testing/process/supervise'
import { stockFromDeployment } from '../seed/stock-desk.ts'
import { readLauncherSettings } from '../settings.ts'
import { type DatabaseLayer, startDatabaseLayer } from './database-layer.ts'
import type { Network } from './network.ts'
import type { Place } from './place.ts'
import { clusterPrograms, programPath, requirePackages } from './programs.ts'
import { fillTemplate } from './templates.ts'

/** The cluster, running. */
export interface Cluster {
  /** Where people open the app: the proxy. */
  url: string
  rpcUrl: string
  redisUrl: string
  database: DatabaseLayer
  /** Where each server listens, and where its metrics are. */
  servers: { name: string; url: string; metricsUrl: string; pid: () => number | undefined }[]
  stop: () => Promise<void>
}

export interface ClusterOptions {
  env: Readonly<Record<string, string | undefined>>
  folder: string
  log: (line: string) => void
  signal: AbortSignal
  /** Where the three Postgres are; at this machine's own address when it is left out. */
  network?: Network
}

const serverNames = ['worker1', 'worker2', 'api1', 'api2', 'api3'] as const
const apiNames = serverNames.filter((name) => name.startsWith('api'))

/**
 * Starts everything, with the data that is in the folder. Servers that do not start are tried again.
 * @throws with one line that says what is wrong; nothing is left running then
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const cleanups: Cleanup[] = []
  let stopping: Promise<void> | undefined
  const stop = () =>
    (stopping ??= (async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup()
    })())
  try {
    return { ...(await startParts(options, cleanups)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startParts(
  { env, folder, log, signal, network }: ClusterOptions,
  cleanups: Cleanup[],
): Promise<Omit<Cluster, 'stop'>> {
  requirePackages(clusterPrograms)
  const database = await startDatabaseLayer({
    folder: join(folder, 'database'),
    ports: ['redis', 'proxy', 'proxy-metrics', 'rpc', ...serverNames, ...serverNames.map((name) => `${name}-metrics`)],
    secrets: ['redis'],
    log,
    signal,
    cleanups,
    network,
  })
  const { place } = database
  log('Starting Redis')
  const redisUrl = await startRedis(place)
  const url = `http://127.0.0.1:${place.port('proxy')}`
  const settings = readLauncherSettings({
    ...env,
    DATA_DIR: folder,
    PORT: String(place.port('proxy')),
    PUBLIC_ORIGIN: url,
    RPC_URL: '',
    RPC_PORT: String(place.port('rpc')),
    // Migrations and the past are made past PgBouncer, and not by the servers' account.
    DATABASE_URL: database.ownerUrl,
  })
  const ground = await startGround(settings, { env, log, signal }, cleanups)
  log(`Starting ${serverNames.length} servers`)
  const serverEnv = {
    ...ground.env,
    DATABASE_URL: database.pooledUrl,
    // PgBouncer keeps them for its clients from version 1.21 on.
    DATABASE_PREPARED: database.keepsPreparedStatements ? 'on' : 'off',
    DATABASE_DIRECT_URL: database.directUrl,
    DATABASE_READ_URL: database.standbyUrl,
    REDIS_URL: redisUrl,
    TRUST_PROXY: '127.0.0.1',
  }
  const servers = serverNames.map((name) => runServer(name, { place, folder, env: serverEnv, log, signal, cleanups }))
  log('Starting the proxy')
  await startProxy(place)
  await untilReady(url, signal)
  await stockFromDeployment({ databaseUrl: database.ownerUrl, dataDir: folder }, log, signal)
  return { url, rpcUrl: settings.config.chain.nodes[0].url, redisUrl, database, servers }
}

type ServerOptions = ClusterOptions & { place: Place; cleanups: Cleanup[]; env: NodeJS.ProcessEnv }

/** Starts a server and goes on to try, also when its first start fails: others may be up by then. */
function runServer(name: (typeof serverNames)[number], options: ServerOptions): Cluster['servers'][number] {
  const { place, folder, log, signal, cleanups } = options
  const isApi = name.startsWith('api')
  const metricsPort = place.port(`${name}-metrics`)
  const env = {
    ...options.env,
    ROLE: isApi ? 'api' : 'worker',
    PORT: String(place.port(name)),
    METRICS_PORT: String(metricsPort),
  }
  // A worker answers only there.
  const port = isApi ? place.port(name) : metricsPort
  let pid: number | undefined
  const stopping = new AbortController()
  const running = (async () => {
    const logFile = await openLogFile(join(folder, `${name}.log`))
    cleanups.push(() => new Promise((resolve) => void logFile.end(resolve)))
    const start = (cancelled: AbortSignal) =>
      startServer({ env, port, logFile, log: (line) => log(`${name}: ${line}`) }, cancelled, async (started) => {
        pid = started
      })
    for (let pause_ms = 1000; ; pause_ms = Math.min(2 * pause_ms, 30_000)) {
      try {
        return await supervise(name, start, log, AbortSignal.any([signal, stopping.signal]))
      } catch (error) {
        if (signal.aborted || stopping.signal.aborted) return undefined
        log(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`)
        await sleep(pause_ms, undefined, { signal: stopping.signal }).catch(() => {})
        if (stopping.signal.aborted) return undefined
      }
    }
  })()
  cleanups.push(async () => {
    stopping.abort()
    await (await running)?.stop()
  })
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    pid: () => pid,
  }
}

async function startRedis(place: Place): Promise<string> {
  const password = place.secret('redis')
  const users = await place.write(
    'redis.acl',
    `user default off\nuser candela on >${password} ~* &* +@all -@dangerous -@admin\n`,
  )
  const text = await fillTemplate('redis/redis.conf', [
    [/^port 6379$/m, `port ${place.port('redis')}`],
    [/\/etc\/redis\/candela\.acl/, users],
    [/\/var\/lib\/redis/, await place.subfolder('redis')],
  ])
  await place.run({
    name: 'redis',
    command: programPath('redis-server'),
    args: [await place.write('redis.conf', text)],
  })
  return `redis://candela:${password}@127.0.0.1:${place.port('redis')}`
}

/** The proxy of deploy/, without TLS, which a browser on this machine does not need. */
async function startProxy(place: Place): Promise<void> {
  const servers = apiNames.map(
    (name, at) =>
      [
        new RegExp(`${at === 0 ? '127\\.0\\.0\\.1' : `10\\.0\\.0\\.1${at + 1}`}:8210`, 'g'),
        `127.0.0.1:${place.port(name)}`,
      ] as const,
  )
  const text = await fillTemplate('proxy/haproxy.cfg', [
    [/^ *bind :80\n/m, ''],
    [/bind :443 .*/, `bind 127.0.0.1:${place.port('proxy')}`],
    [/^ *http-request redirect .*\n/m, ''],
    [/^ *http-request deny deny_status 403 .*\n/m, ''],
    [/127\.0\.0\.1:8405/, `127.0.0.1:${place.port('proxy-metrics')}`],
    ...servers,
  ])
  const config = await place.write('haproxy-proxy.cfg', text)
  await place.run({ name: 'haproxy-proxy', command: programPath('haproxy'), args: ['-db', '-f', config] })
}

/** Waits until the proxy has a server that is ready. */
async function untilReady(url: string, signal: AbortSignal): Promise<void> {
  const isReady = () =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    signal.throwIfAborted()
    await sleep(200)
  }
}
