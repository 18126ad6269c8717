import { createServer, type Server } from 'node:http'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { differenceFromContracts } from '../chain/check-contracts.ts'
import { type ChainClient, createChainClient, RpcError } from '../chain/client.ts'
import { type PayoutChain, payoutChain } from '../chain/payout/payout-chain.ts'
import { chainReader } from '../chain/follow/read-chain.ts'
import { BadKey, loadSigner, type Signer } from '../chain/signer.ts'
import { composeHandlers } from './compose-handlers.ts'
import { type Config, ConfigError } from './config.ts'
import { migrate } from '../db/migrate.ts'
import { type Database, openDatabase } from '../db/open.ts'
import { creditGauges } from './credit-gauges.ts'
import { followerGauges, healthChecks } from './health-checks.ts'
import { incomeGauges } from './income-gauges.ts'
import { inlineScripts } from './inline-scripts.ts'
import { payoutGauges } from './payout-gauges.ts'
import { proofGauges } from './proof-gauges.ts'
import { priceGauges } from './price-gauges.ts'
import { acquireInstanceLock } from '../db/instance-lock.ts'
import { createDispatch } from '../api/dispatch.ts'
import { readinessOf } from '../api/health.ts'
import { createMetrics, type Metrics } from '../api/metrics.ts'
import { createRateLimits } from '../api/rate-limits.ts'
import type { HttpWorkerSettings } from '../http/worker/messages.ts'
import { type HttpWorker, startHttpWorker } from '../http/worker/start.ts'
import { startWorker } from '../jobs/worker.ts'
import { type Clock, stopwatch } from '../kernel/clock.ts'
import { reasonOf } from '../kernel/errors.ts'
import type { IdSource } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { sessionFinder } from '../modules/session/find-session.ts'
import { periodicTasks } from './periodic-tasks.ts'
import { startLoops } from './start-loops.ts'

/** What the server takes from outside besides its settings. */
export type ServerParts = {
  clock: Clock
  ids: IdSource
  log: Log
  /** How long the node may take for an answer, when it is not the usual limit. */
  rpcTimeout_ms?: number
}

export type RunningServer = {
  /** Where it listens. */
  url: string
  /** Rejects when the server cannot go on; never resolves. */
  failed: Promise<never>
  /** Answers what is under way, finishes the round of each loop, and closes everything in order. */
  stop(): Promise<void>
}

/**
 * Starts everything: migrations, following, crediting, prices, periodic work, HTTP. What was started is stopped again
 * when a later part does not start.
 * @throws ConfigError for settings that only the database or the chain can prove wrong
 */
export async function startServer(config: Config, parts: ServerParts): Promise<RunningServer> {
  const { clock, ids, log } = parts
  const stops: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next()
  }
  try {
    const page = readPage(config.http.webDist)
    // It loads while the database is made ready.
    const http = startHttpWorker(httpWorkerSettings(config, page))
    stops.push(() => http.stop())
    const db = openDatabase({ url: config.database.url, poolSize: config.database.pool, log })
    stops.push(() => db.destroy())
    const lock = await acquireInstanceLock(db, log)
    stops.push(() => lock.release())
    const migration_ms = stopwatch()
    const applied = await migrate(db)
    if (applied.length > 0) {
      const durationMs = Math.round(migration_ms())
      log.info({ event: 'database.migrated', applied, durationMs }, 'migrated the database')
    }

    const client = createChainClient({
      network: config.network,
      rpcUrl: config.chain.rpcUrl,
      retries: 0,
      ...(parts.rpcTimeout_ms === undefined ? {} : { timeout_ms: parts.rpcTimeout_ms }),
    })
    const reader = chainReader(client, config.chain.gateway, [config.chain.usdt, config.chain.hash])
    await checkChain(client, config, log)
    const payouts = payoutChain(client, config.chain)
    const signer = await startSigner(payouts, config, log)
    const watch = { lastAt: null }
    const loops = await startLoops({ config: config.chain, db, client, reader, payouts, signer, clock, log, watch })
    stops.push(() => Promise.all(loops.map((loop) => loop.stop())))
    const tasks = periodicTasks(db, clock, config.chain.confirmations.large)
    const worker = await startWorker({ databaseUrl: config.database.url, tasks, log })
    stops.push(() => worker.stop())

    const metrics = createMetrics({ processMetrics: config.http.metricsPort !== undefined })
    for (const gauge of followerGauges(db, clock)) metrics.addGauge(gauge)
    for (const gauge of priceGauges(db, clock)) metrics.addGauge(gauge)
    for (const gauge of proofGauges(db, clock)) metrics.addGauge(gauge)
    for (const gauge of incomeGauges(db, clock)) metrics.addGauge(gauge)
    for (const gauge of creditGauges({ db, clock, watch })) metrics.addGauge(gauge)
    for (const gauge of payoutGauges({ db, clock, payouts, signer })) metrics.addGauge(gauge)
    if (config.http.metricsPort !== undefined) {
      const server = await serveMetrics(metrics, config.http.host, config.http.metricsPort, log)
      stops.push(() => closeServer(server))
    }
    const handlers = composeHandlers({ config, db, client, ids, log })
    const port = await listen(http, config, { db, clock, ids, log, metrics, handlers })
    // Stopped before everything that its calls need, too.
    stops.push(() => http.stop())
    return { url: `http://${config.http.host}:${port}`, failed: Promise.race([lock.lost, http.failed]), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type HttpParts = ServerParts & { db: Database; metrics: Metrics; handlers: ReturnType<typeof composeHandlers> }

function listen(http: HttpWorker, config: Config, parts: HttpParts): Promise<number> {
  const { db, clock, ids, log, metrics, handlers } = parts
  const dispatch = createDispatch({
    handlers,
    findSession: sessionFinder(db),
    limits: createRateLimits(clock, { scale: config.http.rateLimitScale }),
    metrics: metrics.calls,
    clock,
    callId: () => ids.uuid(),
    log,
    checkData: config.mode !== 'production',
  })
  const readiness = readinessOf(healthChecks({ db, clock, limits: config.chain }), log)
  return http.listen({ dispatch, readiness, metrics, log })
}

function httpWorkerSettings({ http, network, clockOffsetFile }: Config, page: string): HttpWorkerSettings {
  const { host, port, rateLimitScale, envelopeOnly, trustProxy, webDist, publicOrigin, apiOrigin, imageOrigins } = http
  const connectOrigins = network.rpcUrls.map((url) => new URL(url).origin)
  return {
    host,
    port,
    rateLimitScale,
    envelopeOnly,
    trustProxy,
    webDist,
    publicOrigin,
    connectOrigins,
    apiOrigin,
    imageOrigins,
    scriptHashes: inlineScripts(page),
    clockOffsetFile,
  }
}

/** Reads the payer's key, and refuses one that the contract would not let pay. */
async function startSigner(payouts: PayoutChain, config: Config, log: Log): Promise<Signer | null> {
  if (config.payerKey === null) {
    log.warn(
      { event: 'payer.key-missing' },
      'no PAYER_KEY_FILE or PAYER_KEY: withdrawals are accepted, and this server pays none of them',
    )
    return null
  }
  try {
    const signer = await loadSigner(config.payerKey)
    const payer = await payouts.payer()
    if (payer === signer.address) return signer
    throw new ConfigError(`the payer's key belongs to ${signer.address}, and the contract lets ${payer} pay`)
  } catch (error) {
    if (error instanceof BadKey) throw new ConfigError(error.message, { cause: error })
    if (!(error instanceof RpcError)) throw error
    // Nothing is lost by starting: each payment is simulated before it is signed, and the contract refuses another
    // payer.
    log.warn(
      { event: 'payer.check-skipped', chain: CHAIN_ID, reason: error.message },
      'the node does not answer which payer the contract accepts; starting without this check',
    )
    return loadSigner(config.payerKey)
  }
}

/** Refuses what would put payments into wrong books. A node that does not answer yet is no reason not to start. */
async function checkChain(client: ChainClient, config: Config, log: Log): Promise<void> {
  try {
    const difference = await differenceFromContracts(client, config.chain)
    if (difference !== null) throw new ConfigError(difference)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    if (error.failure === 'wrongChain') throw new ConfigError(`RPC_URL: ${error.message}`, { cause: error })
    log.warn(
      { event: 'chain.check-skipped', chain: CHAIN_ID, reason: error.message },
      'the node does not answer yet; starting without checking the chain and the contracts',
    )
  }
}

/** The built page; empty where none is served. */
function readPage(webDist: string | undefined): string {
  if (webDist === undefined) return ''
  const file = path.join(webDist, 'index.html')
  if (existsSync(file)) return readFileSync(file, 'utf8')
  throw new ConfigError(`WEB_DIST must be a folder with the built web app: there is no index.html in ${webDist}`)
}

async function serveMetrics(metrics: Metrics, host: string, port: number, log: Log): Promise<Server> {
  const server = createServer((_request, response) => {
    metrics.text().then(
      (text) => response.setHeader('content-type', metrics.contentType).end(text),
      (error: unknown) => {
        log.warn({ event: 'metrics.read-failed', reason: reasonOf(error) }, 'the metrics cannot be read')
        response.writeHead(503).end()
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return server
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
