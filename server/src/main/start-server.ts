import { readPage } from './built-page.ts'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { STATES_KEPT } from '../chain/payer/followed.ts'
import { differenceFromContracts } from '../chain/check-contracts.ts'
import { RpcError } from '../chain/ask.ts'
import type { ChainClient } from '../chain/client.ts'
import { type NodeGaps, nodeGaps } from '../chain/node/node-gaps.ts'
import { type Nodes, openNodes } from '../chain/nodes/nodes.ts'
import { askContractByMajority } from '../chain/signature/ask-contract.ts'
import { payoutChain } from '../chain/payout/payout-chain.ts'
import { chainReader } from '../chain/follow/read/read-chain.ts'
import { startFollowing } from '../chain/follow/start-following.ts'
import { handlersForCalls } from './compose/handlers-for-calls.ts'
import { type Config, ConfigError } from './config.ts'
import { checkMigrated, mayMigrate } from '../db/migrate.ts'
import { migrateWithLog, reportNewer } from './migrate/migrate-with-log.ts'
import { openLease } from '../db/lease/lease.ts'
import { openForCalls } from '../db/for-calls.ts'
import { type Database, openDatabase, transaction } from '../db/open.ts'
import { openStandby, primaryReads, type StandbyReads } from '../db/standby/standby.ts'
import { lendingGauges } from '../modules/lending/gauges.ts'
import { followerGauges, healthChecks } from './health-checks.ts'
import { memberGauges } from '../modules/member/gauges.ts'
import { freeRowGauges } from '../modules/power/gauges.ts'
import { reconcileGauges } from '../modules/reconcile/gauges.ts'
import { ledgerGauges } from '../ledger/gauges.ts'
import { nodeGauges } from '../chain/nodes/gauges.ts'
import { incomeGauges } from '../modules/income/gauges.ts'
import { inlineHashes } from './inline-hashes.ts'
import { payoutGauges } from '../modules/withdraw/wait/gauges.ts'
import { proofGauges } from '../modules/proof/gauges.ts'
import { priceGauges } from '../chain/price/gauges.ts'
import { createDispatch } from '../api/dispatch.ts'
import { CHECK_LIMIT_MS, type Readiness, readinessOf } from '../api/health.ts'
import { createMetrics, type Metrics } from '../api/metrics.ts'
import { createRateLimits } from '../api/rate-limits.ts'
import type { HttpWorkerSettings } from '../http/worker/messages.ts'
import { startHttpWorker } from '../http/worker/start.ts'
import { type Leading, lead } from '../jobs/lead.ts'
import { runLoop } from '../jobs/loop.ts'
import type { Clock } from '../kernel/clock.ts'
import { reasonOf } from '../kernel/errors.ts'
import type { IdSource } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Redis } from '../redis/open-redis.ts'
import { exitReader } from '../modules/proof/read-exit.ts'
import { sessionFinder } from '../modules/session/find-session.ts'
import { leaseGauges } from '../db/lease/gauges.ts'
import { redisReport } from './redis-report.ts'
import { serveMetrics } from './serve-metrics.ts'
import { startSigners } from './start-signers.ts'
import { startWork, WORK_LEASE, type WorkParts } from '../jobs/start-work.ts'

/** How often each node is asked for its newest block. */
const LOOK_AT_NODES_MS = 10_000

/** The parts that the server takes from outside besides its settings. */
export type ServerParts = {
  clock: Clock
  ids: IdSource
  log: Log
  /** How long the node may take for an answer, when it is not the usual limit. */
  rpcTimeout_ms?: number
}

export type RunningServer = {
  /** Where it listens; empty for a worker without a port. */
  url: string
  /** Rejects when the server cannot go on; never resolves. */
  failed: Promise<never>
  /** Answers what is under way, finishes the round of each loop, and closes everything in order. */
  stop(): Promise<void>
}

/**
 * Starts what the role asks for: migrations, then HTTP, and waiting for the lease of the loops and periodic tasks. What was started is
 * stopped again when a later part does not start.
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
    const http = config.role === 'worker' ? null : startHttpWorker(httpWorkerSettings(config, page))
    if (http !== null) stops.push(() => http.stop())
    await makeReady(config, log)
    const { url, isPrepared, pool: poolSize } = config.database
    const { reads: db, commands } = openForCalls({ url, isPrepared, poolSize, log })
    stops.push(() => db.destroy())

    const nodes = openNodes({
      network: config.network,
      nodes: config.chain.nodes,
      retries: 0,
      limits: config.chain.rpcLimits,
      maxHeadAge_s: config.chain.maxHeadAge_s,
      clock,
      log,
      ...(parts.rpcTimeout_ms === undefined ? {} : { timeout_ms: parts.rpcTimeout_ms }),
    })
    const { client } = nodes
    startWatching(nodes, log, stops)
    const missing = startChecking(config, parts, stops)
    await checkChain(client, config, log)
    const payouts = payoutChain(client, config.chain)
    const contract = {
      chainId: CHAIN_ID,
      gateway: config.chain.gateway,
      startBlock: BigInt(config.chain.startBlock),
    }
    // By every server, each with the same row, so that none answers calls about another contract.
    await transaction(db, (tx) => startFollowing(tx, contract, clock.now()))
    const works = config.role !== 'api'
    const signers = works ? await startSigners(payouts, config, log) : { payer: null, attester: null }
    const watch = { lastAt: null }
    const leading = works ? startLeading(config, { nodes, payouts, signers, watch, clock, log }, stops) : null

    const metrics = createMetrics({ processMetrics: config.http.metricsPort !== undefined })
    const gauges = [
      leaseGauges(db, WORK_LEASE, () => leading?.number() ?? null),
      followerGauges(db, clock),
      nodeGauges(db, nodes, clock),
      priceGauges(db, clock),
      ledgerGauges(db, clock),
      memberGauges(db),
      incomeGauges(db, clock),
      freeRowGauges(db),
      lendingGauges({ db, clock, watch }),
      reconcileGauges(db, clock),
      payoutGauges({ db, clock, payouts, signers }),
      proofGauges(db, clock),
    ].flat()
    for (const gauge of gauges) metrics.addGauge(gauge)
    let isStopping = false
    const limit_ms = CHECK_LIMIT_MS[config.mode === 'production' ? 'production' : 'development']
    const whileRunning = readinessOf(healthChecks({ db, clock, limits: config.chain, missing }), log, limit_ms)
    const readiness = () => (isStopping ? Promise.resolve(stoppingReadiness) : whileRunning())
    const { host, metricsPort } = config.http
    const failures = leading === null ? [] : [leading.failed]
    let listensAt = ''
    if (metricsPort !== undefined) {
      const server = await serveMetrics({ host, port: metricsPort, metrics, readiness, log })
      listensAt = server.url
      stops.push(server.stop)
    }
    if (http !== null) {
      const standby = startStandby(config, { db, metrics, log }, stops)
      const handlers = handlersForCalls(
        { config, askContract: askContractByMajority(nodes.all), ids, log, standby },
        { reads: db, commands },
      )
      const report = redisReport(config, metrics, log)
      const redis = await connectRedis(config, report.ofCalls, stops)
      const port = await http.listen({
        dispatch: dispatchOf(config, { db, clock, ids, log, metrics, handlers, redis }),
        readiness,
        metrics,
        log,
        onRedis: report.ofHttp,
      })
      listensAt = `http://${host}:${port}`
      failures.push(http.failed)
      // Stopped before everything that its calls need, too.
      stops.push(() => http.stop())
    }
    stops.push(async () => {
      isStopping = true
      http?.drain()
      // The loops go to another server at once, whatever becomes of the calls. Whether they have stopped is asked for later: without a database
      // that takes seconds, and the port would stay open for as long.
      leading?.stop().catch(() => undefined)
      if (http !== null) await sleep(config.http.drain_ms)
    })
    return { url: listensAt, failed: Promise.race(failures), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A proxy is told this, so that it sends the next calls to other servers. */
const stoppingReadiness: Readiness = { ready: false, parts: { process: { ok: false, stopping: true } } }

/**
 * Brings the database to the latest schema, where the server's account owns it: whoever starts first does it; others wait for it.
 * @throws ConfigError when the account may not, and a migration is missing
 */
async function makeReady({ database }: Config, log: Log): Promise<void> {
  const db = openDatabase({ url: database.directUrl, poolSize: 1, log })
  try {
    if (await mayMigrate(db)) return await migrateWithLog(db, log)
    const { newer } = await checkMigrated(db).catch((error: unknown) => {
      throw new ConfigError(reasonOf(error))
    })
    reportNewer(newer, log)
  } finally {
    await db.destroy()
  }
}

/** For reads that need not be of the primary, when there is a standby. */
function startStandby(
  { database }: Config,
  { db, metrics, log }: { db: Database; metrics: Metrics; log: Log },
  stops: (() => Promise<unknown>)[],
): StandbyReads {
  const { readUrl: url, isPrepared, pool: poolSize } = database
  const onRead = (from: 'standby' | 'primary') => metrics.standbyRead(from)
  const standby = url === undefined ? null : openStandby({ primary: db, url, isPrepared, poolSize, log, onRead })
  metrics.addGauge({
    name: 'candela_standby_unused',
    help: '1 while this server has a DATABASE_READ_URL and reads nothing there.',
    read: () => (standby === null || standby.isUsed() ? 0 : 1),
  })
  if (standby === null) return primaryReads(db)
  stops.push(() => standby.stop())
  return standby
}

/** Where there are several nodes, each process finds out which of them it asks. */
function startWatching(nodes: Nodes, log: Log, stops: (() => Promise<unknown>)[]): void {
  if (nodes.all.length < 2) return
  const work = async () => {
    await nodes.look()
    return false
  }
  const loop = runLoop({ name: 'watching the nodes', work, interval_ms: LOOK_AT_NODES_MS, log })
  stops.push(() => loop.stop())
}

/** Finds out what the nodes lack of what the service needs, while everything else goes on. */
function startChecking(
  { chain }: Config,
  { clock, log }: ServerParts,
  stops: (() => Promise<unknown>)[],
): NodeGaps['missing'] {
  const { nodes, rpcLimits: limits, confirmations } = chain
  const { large: depth, statesKept = STATES_KEPT } = confirmations
  const settings = nodes.map(({ url }) => ({
    url,
    limits,
    depth,
    statesKept,
    chainId: CHAIN_ID,
    now: () => clock.now(),
  }))
  const gaps = nodeGaps(settings, { clock, log })
  const work = async () => {
    await gaps.look()
    return false
  }
  const loop = runLoop({ name: 'checking the nodes', work, interval_ms: LOOK_AT_NODES_MS, log })
  stops.push(() => loop.stop())
  return gaps.missing
}

type LeadParts = Pick<WorkParts, 'nodes' | 'payouts' | 'signers' | 'watch' | 'clock' | 'log'>

/** Has the loops and periodic tasks run here whenever no other server runs them. */
function startLeading(config: Config, parts: LeadParts, stops: (() => Promise<unknown>)[]): Leading {
  const { nodes, log } = parts
  const { url, isPrepared } = config.database
  const { gateway, usdt, hash } = config.chain
  const reader = chainReader(nodes.client, gateway, [usdt, hash])
  const holder = `${hostname()} ${process.pid}`
  const lease = openLease({ url, isPrepared, name: WORK_LEASE, holder, duration_ms: config.lease_ms, log })
  stops.push(() => lease.close())
  const leading = lead({ lease, log, begin: (number) => startWork({ ...parts, config, reader }, number) })
  stops.push(() => leading.stop())
  return leading
}

/** For the limits inside of calls; the HTTP worker has a connection of its own. Undefined without `REDIS_URL`. */
async function connectRedis(
  { redisUrl }: Config,
  onChange: (reason: string | null) => void,
  stops: (() => Promise<unknown>)[],
): Promise<Redis | undefined> {
  if (redisUrl === undefined) return undefined
  // Its library is a third of all that a server loads, and most servers have no Redis.
  const { openRedis } = await import('../redis/open-redis.ts')
  const redis = openRedis({ url: redisUrl, onChange })
  stops.push(async () => redis.close())
  await redis.connect()
  return redis
}

type HttpParts = ServerParts & {
  db: Database
  metrics: Metrics
  handlers: ReturnType<typeof handlersForCalls>
  redis: Redis | undefined
}

function dispatchOf(config: Config, parts: HttpParts): ReturnType<typeof createDispatch> {
  const { db, clock, ids, log, metrics, handlers, redis } = parts
  return createDispatch({
    handlers,
    findSession: sessionFinder(db),
    isExited: exitReader(db, clock),
    limits: createRateLimits(clock, {
      scale: config.http.rateLimitScale,
      redis,
      onUnshared: () => metrics.unsharedLimit(),
    }),
    metrics: metrics.calls,
    clock,
    callId: () => ids.uuid(),
    log,
    checkData: config.mode !== 'production',
  })
}

function httpWorkerSettings(
  { http, network, walletConnect, clockOffsetFile, redisUrl }: Config,
  page: string,
): HttpWorkerSettings {
  const { host, port, rateLimitScale, envelopeOnly, trustProxy, webDist, publicOrigin, apiOrigin, imageOrigins } = http
  const wanted = [...network.rpcUrls, ...(walletConnect === null ? [] : [walletConnect.relayUrl])]
  const connectOrigins = wanted.map((url) => new URL(url).origin)
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
    inlineHashes: inlineHashes(page),
    clockOffsetFile,
    redisUrl,
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
