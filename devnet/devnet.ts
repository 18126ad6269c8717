/** Everything on one machine: database, chain, contracts, seed, web and server, started in order and stopped in reverse. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from './postgres/embedded.ts'
import { lockFolder } from './process/folder-lock.ts'
import { migrate } from '@candela/server/db/migrate'
import { openDatabase } from '@candela/server/db/open'
import { systemClock } from '@candela/server/kernel/clock'
import { silentLog } from '@candela/server/kernel/log'
import { testAccounts } from './chain/accounts.ts'
import { buildWeb } from './web/build-web.ts'
import { type Chain, startChain } from './chain/chain.ts'
import { deskReference } from './deploy/deploy-plan.ts'
import { deploy, type Deployment, readDeployment } from './deploy/deploy.ts'
import { HISTORY_DAYS, makeHistory } from './seed/history.ts'
import { supervise } from './process/supervise.ts'
import { isPortTaken } from './process/ports.ts'
import { openProcessRegistry } from './process/process-registry.ts'
import { endWithParent, spawnGuarded } from './process/spawn-guarded.ts'
import { seed } from './seed/seed.ts'
import { stockDesk } from './seed/stock-desk.ts'
import { openLogFile, startServer } from './process/server-process.ts'
import { type LauncherSettings, readLauncherSettings } from './settings.ts'

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

type Cleanup = () => Promise<void>

/**
 * Starts everything and waits until the app can be opened. Data that is there is gone on with.
 * @throws with one line that says what is wrong; nothing is left running then
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const settings = readLauncherSettings(options.env)
  const cleanups: Cleanup[] = []
  const stop = once(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  })
  try {
    return { ...(await startParts(settings, options, cleanups)), settings, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startParts(
  settings: LauncherSettings,
  { log, signal: wanted = new AbortController().signal }: DevnetOptions,
  cleanups: Cleanup[],
): Promise<Omit<Devnet, 'settings' | 'stop'>> {
  const { config, ownsChain } = settings
  const { dataDir } = config
  const registry = await takeFolder(dataDir, log, cleanups)
  await requireFreePorts(settings)
  const cancelling = new AbortController()
  const signal = AbortSignal.any([wanted, cancelling.signal])
  const database = startDatabase(settings, log, signal, cleanups)
  const web = buildWeb(settings.webMode, log, signal)
  const chain = ownsChain ? startOwnChain(settings, log, signal, cleanups) : Promise.resolve(undefined)
  await allOrNone([database, web, chain], cancelling)
  signal.throwIfAborted()
  const [db, webDist, onChain] = [await database, await web, await chain]

  if (onChain !== undefined) {
    if (onChain.isNew && settings.history !== 'off') {
      log('Making a few days of past: a purchase of power, revenue, closed days')
      await makeHistory({
        databaseUrl: db.url ?? config.database.url,
        chain: onChain.chain,
        deployment: onChain.deployment,
        confirmations: config.chain.confirmations,
        extent: settings.history,
        nowMs: Date.now,
      })
    }
    // The server takes prices from the newest block, and a price of some time ago is none.
    await onChain.chain.startTicking()
  }
  log('Starting the server')
  const logFile = await openLogFile(join(dataDir, 'server.log'))
  cleanups.push(() => new Promise((resolve) => void logFile.end(resolve)))
  const env = settings.serverEnvironment({
    webDist,
    ...(db.url === undefined ? {} : { databaseUrl: db.url }),
    ...(onChain === undefined ? {} : { deployment: onChain.deployment }),
  })
  const serverOptions = { env, port: config.http.port, logFile, log }
  const server = await supervise(
    'the server',
    (cancelled) => startServer(serverOptions, cancelled, (pid) => registry.record('server', pid)),
    log,
    signal,
  )
  cleanups.push(server.stop)
  if (onChain !== undefined) await stock(db.url ?? config.database.url, log, signal)
  return {
    url: `http://127.0.0.1:${config.http.port}`,
    rpcUrl: onChain?.chain.url ?? config.chain.rpcUrl,
    databaseUrl: db.url ?? config.database.url,
    deployment: onChain?.deployment,
    chain: onChain?.chain,
    pids: () => ({ server: server.pid(), postgres: db.pid(), anvil: onChain?.chain.anvil().pid }),
    failed: onChain?.chain.failed ?? new Promise(() => {}),
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

async function requireFreePorts({ config, ownsChain }: LauncherSettings): Promise<void> {
  const ports = new Map([['PORT', config.http.port]])
  if (ownsChain) ports.set('RPC_PORT', Number(new URL(config.chain.rpcUrl).port))
  for (const [name, port] of ports) {
    if (await isPortTaken(port)) throw new Error(`Port ${port} is taken by another program; set ${name} to a free one`)
  }
}

async function startDatabase(
  { config, ownsDatabase, ownsChain }: LauncherSettings,
  log: DevnetOptions['log'],
  signal: AbortSignal,
  cleanups: Cleanup[],
): Promise<{ url: string | undefined; pid: () => number | undefined }> {
  let url: string | undefined
  let pid = noProcess
  if (ownsDatabase) {
    const folder = join(config.dataDir, 'postgres')
    log('Starting Postgres')
    // A later run keeps the port, because the server has been given it.
    let port = 0
    const start = async () => {
      const postgres = await startEmbeddedPostgres({ folder, port })
      port = postgres.port
      endWithParent(postgres.pid, 'INT', postgres.exited)
      url = postgres.url()
      return { pid: postgres.pid, exited: postgres.exited, stop: () => postgres.stop() }
    }
    const postgres = await supervise('Postgres', start, log, signal)
    cleanups.push(postgres.stop)
    pid = postgres.pid
  }
  signal.throwIfAborted()
  const db = openDatabase({ url: url ?? config.database.url, log: silentLog(), poolSize: 2 })
  try {
    const applied = await migrate(db)
    if (applied.length > 0) log(`Prepared the database (${applied.length} migrations)`)
    // The first invitation is known to everybody, so it has no place beside a chain that is not a plaything.
    if (ownsChain && (await seed(db, systemClock)) > 0) log('Added the first invitation code and the plans')
  } finally {
    await db.destroy()
  }
  return { url, pid }
}

/** The desk's stock was paid in with the deployment; the server has to credit it before it can be given to the desk. */
async function stock(databaseUrl: string, log: DevnetOptions['log'], signal: AbortSignal): Promise<void> {
  const [owner] = testAccounts()
  if (owner === undefined) throw new Error('There are no test accounts')
  const db = openDatabase({ url: databaseUrl, log: silentLog(), poolSize: 1 })
  try {
    const payments = { payer: owner.address.toLowerCase(), reference: deskReference, count: 3 }
    const { added, missing } = await stockDesk(db, systemClock, payments, signal)
    if (added > 0) log('Stocked the exchange desk')
    if (missing > 0) log(`${missing} payments for the exchange desk have not arrived yet; the next start takes them up`)
  } finally {
    await db.destroy()
  }
}

function noProcess(): number | undefined {
  return undefined
}

async function startOwnChain(
  { config, history }: LauncherSettings,
  log: DevnetOptions['log'],
  signal: AbortSignal,
  cleanups: Cleanup[],
): Promise<{ chain: Chain; deployment: Deployment; isNew: boolean }> {
  const [owner] = testAccounts()
  if (owner === undefined) throw new Error('There are no test accounts')
  const file = join(config.dataDir, 'deployment.json')
  log('Starting the chain')
  const chain = await startChain({
    folder: join(config.dataDir, 'chain'),
    rich: owner.address,
    port: Number(new URL(config.chain.rpcUrl).port),
    onLog: log,
    // A new chain begins in the past, and its deployment takes blocks faster than they tick.
    isTicking: false,
    ...(history === 'off' ? {} : { headStartS: HISTORY_DAYS * 86_400 }),
  })
  cleanups.push(chain.stop)
  const isNew = (await readDeployment(file)) === undefined
  if (isNew) {
    log('Compiling the contracts')
    await compile(signal)
  }
  const mine = () => {
    signal.throwIfAborted()
    return chain.mine()
  }
  const onStep = (title: string) => log(`Deploying: ${title}`)
  const deployment = await deploy({ rpcUrl: chain.url, file, mine, onStep })
  // So that what was paid in counts at once instead of seconds after the start.
  const blocks = isNew ? config.chain.confirmations.large : 0
  for (let block = 0; block < blocks; block += 1) await mine()
  return { chain, deployment, isNew }
}

async function compile(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const lines: string[] = []
  const compiler = await spawnGuarded(process.execPath, [join(import.meta.dirname, 'deploy', 'compile.ts')], {
    onLine: (line) => lines.push(line),
  })
  const stop = () => void compiler.stop(500)
  signal.addEventListener('abort', stop, { once: true })
  const { code } = await compiler.exited
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  if (code !== 0) throw new Error(lines.join('\n'))
}

/** Waits for all, so that nothing goes on in the background; the first failure cancels the others and is the reason. */
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

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= work())
}
