/** Everything on one machine: database, chain, contracts, seed, web and server, started in order and stopped in reverse. */
import { setTimeout as sleep } from 'node:timers/promises'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import { checkNode } from '@candela/server/chain/node/check-node'
import { nameOf } from '@candela/server/chain/nodes/addresses'
import { READ_EVERY_MS, systemClock } from '@candela/server/kernel/clock'
import type { Config } from '@candela/server/main/config'
import type { Chain } from './chain/chain.ts'
import type { Deployment } from './deploy/deploy.ts'
import { type DevelopmentTime, openDevelopmentTime } from './development-time.ts'
import { lockFolder } from '@candela/testing/process/folder-lock'
import { isPortTaken } from '@candela/testing/process/ports'
import { openProcessRegistry, type ProcessRegistry } from '@candela/testing/process/process-registry'
import { openLogFile, startServer } from './server-process.ts'
import { supervise } from '@candela/testing/process/supervise'
import { discardHalfPast, readPastMark, removePastMark, writePastMark } from './past-mark.ts'
import { type LauncherSettings, readLauncherSettings } from './settings.ts'
import { startDatabase } from './start-database.ts'
import { startOwnChain } from './start-own-chain.ts'
import { buildServer } from '@candela/testing/build/build-server'
import { buildWeb } from '@candela/testing/build/build-web'
import { chainEnvironment, developmentChain } from './deploy/web-chain.ts'

/** Everything, running. */
export interface Devnet {
  /** Where people open the app. */
  url: string
  /** The chain's RPC, our own or the outside one. */
  rpcUrl: string
  databaseUrl: string
  settings: LauncherSettings
  /** Undefined on an outside chain. */
  deployment: Deployment | undefined
  chain: Chain | undefined
  /** Lets time pass for the chain and the server, at once. @throws on an outside chain and in production */
  passTime: (durationMs: number) => Promise<void>
  /** Stops the server alone, for good: database and chain go on. */
  stopServer: () => Promise<void>
  /** The current processes, for tests that end them. */
  pids: () => { server: number; postgres: number | undefined; anvil: number | undefined }
  /** Resolves with the reason when a part cannot go on. */
  failed: Promise<Error>
  stop: () => Promise<void>
}

/** How to start it. Ports and folders are settings in `env`, as in `.env.example`. */
export interface DevnetOptions {
  env: Readonly<Record<string, string | undefined>>
  /** Called with one line for each step. */
  log: (line: string) => void
  /** Aborting it during the start stops what has been started, and makes the start fail. */
  signal?: AbortSignal
}

export type Cleanup = () => Promise<void>

/**
 * Starts everything, with the data that is there, and waits until the app can be opened.
 * @throws with one line that says what is wrong; nothing is left running then
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const settings = readLauncherSettings(options.env)
  const cleanups: Cleanup[] = []
  const stop = once(() => stopAll(cleanups))
  try {
    return { ...(await startParts(settings, options, cleanups)), settings, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The parts that the servers need, ready: database, chain with contracts and past, built app. */
export interface Ground {
  registry: ProcessRegistry
  signal: AbortSignal
  time: DevelopmentTime
  db: Awaited<ReturnType<typeof startDatabase>>
  webDist: string
  onChain: Awaited<ReturnType<typeof startOwnChain>> | undefined
  /** The server's whole environment. */
  env: NodeJS.ProcessEnv
}

/** Starts everything but the server. What was started is pushed to `cleanups`, also when a later part fails. */
export async function startGround(
  settings: LauncherSettings,
  { log, signal: wanted = new AbortController().signal }: DevnetOptions,
  cleanups: Cleanup[],
): Promise<Ground> {
  const { config, ownsChain } = settings
  const { dataDir } = config
  const registry = await takeFolder(dataDir, log, cleanups)
  await requireFreePorts(settings)
  if (settings.ownsDatabase && ownsChain && (await readPastMark(dataDir)) === 'begun') {
    log('The first start was ended while it made the past; beginning anew')
    await discardHalfPast(dataDir)
  }
  const cancelling = new AbortController()
  const signal = AbortSignal.any([wanted, cancelling.signal])
  const time = openDevelopmentTime(settings.clockOffsetFile)
  const database = startDatabase(settings, log, signal, cleanups)
  const web = chainToBuildIn(settings).then((builtIn) => buildWeb(settings.webMode, builtIn, log, signal))
  const server = buildServer(log, signal)
  const chain = ownsChain ? startOwnChain(settings, time, log, signal, cleanups) : Promise.resolve(undefined)
  const past = makePast(settings, database, chain, { time, log, signal })
  await allOrNone([database, web, server, chain, past], cancelling)
  signal.throwIfAborted()
  const [db, webDist, onChain] = [await database, await web, await chain]

  if (!ownsChain) await reportNode(config.chain, log)
  // The server takes prices from the newest block, and refuses a price that is old.
  await onChain?.chain.startTicking()
  const env = settings.serverEnvironment({
    webDist,
    ...(db.serverUrl === undefined ? {} : { databaseUrl: db.serverUrl }),
    ...(onChain === undefined ? {} : { deployment: onChain.deployment }),
  })
  return { registry, signal, time, db, webDist, onChain, env }
}

/** Makes what a new chain has seen before anybody uses it. The app may still be built meanwhile. */
async function makePast(
  { config, history: extent }: LauncherSettings,
  database: ReturnType<typeof startDatabase>,
  ownChain: Promise<Awaited<ReturnType<typeof startOwnChain>> | undefined>,
  { time, log, signal }: { time: DevelopmentTime; log: DevnetOptions['log']; signal: AbortSignal },
): Promise<void> {
  const [db, onChain] = await Promise.all([database, ownChain])
  signal.throwIfAborted()
  if (onChain?.isNew !== true || extent === 'off') return
  const { dataDir } = config
  log('Making a few days of past: a purchase of power, revenue, loans, closed days')
  await writePastMark(dataDir, 'begun')
  const { makeHistory } = await import('./seed/history.ts')
  await makeHistory({
    databaseUrl: db.url ?? config.database.url,
    dataDir,
    chain: onChain.chain,
    deployment: onChain.deployment,
    confirmations: config.chain.confirmations,
    extent,
    nowMs: time.nowMs,
  })
  await removePastMark(dataDir)
}

/** A development build takes whatever the server names. */
async function chainToBuildIn({ webMode, ownsChain, config }: LauncherSettings): Promise<Record<string, string>> {
  if (webMode === 'devnet') return {}
  return ownsChain ? await developmentChain() : chainEnvironment(config.chain, config.network.rpcUrls)
}

async function startParts(
  settings: LauncherSettings,
  options: DevnetOptions,
  cleanups: Cleanup[],
): Promise<Omit<Devnet, 'settings' | 'stop'>> {
  const { config } = settings
  const { dataDir } = config
  const { log } = options
  const { registry, signal, time, db, onChain, env } = await startGround(settings, options, cleanups)
  log('Starting the server')
  const logFile = await openLogFile(join(dataDir, 'server.log'))
  const unwritable = new Promise<Error>((resolve) => {
    logFile.on('error', (error) => resolve(new Error(`${dataDir}: ${error.message}`, { cause: error })))
  })
  cleanups.push(() => new Promise((resolve) => void (logFile.closed ? resolve() : logFile.end(() => resolve()))))
  const serverOptions = { env, port: config.http.port, logFile, log }
  const server = await supervise(
    'the server',
    (cancelled) => startServer(serverOptions, cancelled, (pid) => registry.record('server', pid)),
    log,
    signal,
  )
  cleanups.push(server.stop)
  if (onChain !== undefined) {
    const { stockFromDeployment } = await import('./seed/stock-desk.ts')
    await stockFromDeployment({ databaseUrl: db.url ?? config.database.url, dataDir }, log, signal)
  }
  return {
    url: `http://127.0.0.1:${config.http.port}`,
    rpcUrl: onChain?.chain.url ?? config.chain.nodes[0].url,
    databaseUrl: db.url ?? config.database.url,
    deployment: onChain?.deployment,
    chain: onChain?.chain,
    async passTime(durationMs) {
      await time.pass(durationMs)
      // Until each process has read its clock's file again.
      await sleep(READ_EVERY_MS)
      // Or else the service would take the chain for one that stands still until the next second.
      await onChain?.chain.mine(Math.floor(time.nowMs() / 1000))
    },
    stopServer: server.stop,
    pids: () => ({ server: server.pid(), postgres: db.pid(), anvil: onChain?.chain.anvil().pid }),
    failed: Promise.race([onChain?.chain.failed ?? new Promise<never>(() => {}), unwritable]),
  }
}

/** Locks the folder, and ends what a killed launcher left running there, before its ports are checked. */
async function takeFolder(dataDir: string, log: DevnetOptions['log'], cleanups: Cleanup[]) {
  await mkdir(dataDir, { recursive: true })
  const lock = await lockFolder(dataDir)
  cleanups.push(() => lock.release())
  const registry = openProcessRegistry(dataDir)
  for (const part of await registry.endOrphans()) log(`Ended the ${part} that an earlier start had left behind`)
  return registry
}

const systemNow = () => systemClock.now()

/** Reports what an outside node lacks of what the service needs, and what it has. */
async function reportNode(
  { nodes, rpcLimits: limits, confirmations }: Config['chain'],
  log: DevnetOptions['log'],
): Promise<void> {
  const { large: depth, statesKept = 100 } = confirmations
  for (const { url } of nodes) {
    const checks = await checkNode({ url, limits, depth, statesKept, chainId: CHAIN_ID, now: systemNow })
    for (const { check, ok, found } of checks) log(`Node ${nameOf(url)}: ${check}: ${ok ? '' : 'MISSING: '}${found}`)
  }
}

async function requireFreePorts({ config, ownsChain }: LauncherSettings): Promise<void> {
  const ports = new Map([['PORT', config.http.port]])
  if (ownsChain) ports.set('RPC_PORT', Number(new URL(config.chain.nodes[0].url).port))
  if (new Set(ports.values()).size < ports.size) {
    throw new Error(`PORT and RPC_PORT are both ${config.http.port}; set one of them to another port`)
  }
  for (const [name, port] of ports) {
    if (await isRefusedByBrowsers(port)) throw new Error(`Browsers refuse port ${port}; set ${name} to another one`)
    if (await isTaken(name, port))
      throw new Error(`Port ${port} is taken by another program; set ${name} to a free one`)
  }
}

/** The ports of mail, X11 and others, by the list of the Fetch standard, which Node's own fetch has too. */
async function isRefusedByBrowsers(port: number): Promise<boolean> {
  const reason = await fetch(`http://127.0.0.1:${port}`, { method: 'HEAD', signal: AbortSignal.timeout(100) }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.cause : undefined),
  )
  return reason instanceof Error && reason.message === 'bad port'
}

async function isTaken(name: string, port: number): Promise<boolean> {
  try {
    return await isPortTaken(port)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    throw new Error(`This user may not open port ${port}; set ${name} to one above 1023`, { cause: error })
  }
}

/** Waits for all, so that nothing continues in the background; the first failure cancels the others and is thrown. */
async function allOrNone(work: readonly Promise<unknown>[], cancelling: AbortController): Promise<void> {
  let first: unknown
  const watched = work.map((part) =>
    part.catch((error: unknown) => {
      first ??= error
      cancelling.abort(error)
    }),
  )
  await Promise.all(watched)
  if (first !== undefined) throw first
}

/** Runs all, so that a part that cannot stop in order keeps none of the others running. @throws the first failure */
async function stopAll(cleanups: readonly Cleanup[]): Promise<void> {
  const failures: unknown[] = []
  for (const cleanup of cleanups.toReversed()) await cleanup().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= work())
}
