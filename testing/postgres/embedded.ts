/** A Postgres from npm's binaries on a folder of its own: for development, tests and benchmarks. */
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockFolder } from '../process/folder-lock.ts'
import { freePort } from '../process/ports.ts'
import { endWithParent } from '../process/spawn-guarded.ts'
import { prepareBinaries } from './binaries.ts'
import { accountFor, hasEnded, type Place, run, type Running, withLog, workingFolder } from './run-postgres.ts'
import { readPidFile, stopOrphan, stopPostmaster } from './stop-postgres.ts'

/** A running Postgres. */
export type EmbeddedPostgres = {
  /** Connection string; the private cluster's first database is `postgres`. */
  url(database?: string): string
  port: number
  /** The postmaster's process number. */
  pid: number
  /** Resolves when the postmaster has ended, by `stop` or by itself. */
  exited: Promise<void>
  /** Ends sessions, writes everything, stops. May be called twice. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** Holds the data, the password and the server's log. Made when missing. */
  folder: string
  /** A port on 127.0.0.1; 0 or absent takes a free one. */
  port?: number
  /** False only for throw-away clusters of tests: a power cut then loses data. */
  durable?: boolean
  /** The folder of an installed Postgres to run instead; else what `POSTGRES_BIN` says. */
  bin?: string | undefined
  /** Server settings instead of the usual ones, by Postgres' names. */
  settings?: Readonly<Record<string, string | number>>
}

const user = 'candela'
/** The data folder, which is where the server runs, and which nobody else may enter. */
const socketFolder = process.platform === 'win32' ? '' : '.'
/** The longest path of a socket in bytes: the least of the systems (macOS; 107 on Linux). */
const longestSocketPath = 103
const stepMs = 20
const readyWithinMs = 60_000

/**
 * Starts Postgres on the folder, with the data that is in it. It ends when this process does, by whatever signal. A
 * postmaster that still runs on the folder is stopped first, so there are never two.
 * @throws when binaries are missing, the port is taken, or a running process uses the folder.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const binaries = await prepareBinaries(options.bin)
  await mkdir(options.folder, { recursive: true, mode: 0o700 })
  const folder = await realpath(options.folder)
  const lock = await lockFolder(folder)
  try {
    const place: Place = { binaries, folder, data: join(folder, 'data'), account: await accountFor(folder) }
    await stopOrphan(place.data)
    const password = await initialise(place, options.durable ?? true)
    const { running, port } = await launch(place, options)
    return handle(running, urls(place.data, port, password), port, () => lock.release())
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Removes the folder of a throw-away cluster whose parent was killed, and stops the Postgres that still runs on it.
 * @throws when a running process uses the folder.
 */
export async function discardEmbeddedPostgres(path: string): Promise<void> {
  const folder = await realpath(path)
  await lockFolder(folder)
  await stopOrphan(join(folder, 'data'))
  await rm(folder, { recursive: true, force: true })
}

async function initialise(place: Place, durable: boolean): Promise<string> {
  const passwordFile = join(place.folder, 'password')
  if (await stat(place.data).catch(() => undefined)) return (await readFile(passwordFile, 'utf8')).trim()
  const password = randomBytes(24).toString('base64url')
  const draft = join(place.folder, 'data.new')
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  await rm(passwordFile, { force: true })
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (place.account) {
    await chown(draft, place.account.uid, place.account.gid)
    await chown(passwordFile, place.account.uid, place.account.gid)
  }
  const args = [`--username=${user}`, '--auth=scram-sha-256', '--encoding=UTF8']
  if (place.binaries.isInstalled) args.push('--locale=C.UTF-8')
  else args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  // Not by `join`, which would resolve the dots without following the link.
  args.push(`--pwfile=${workingFolder(place, draft)}/../password`)
  // No attacker tries the password of a throw-away cluster, and each connection would take milliseconds for it.
  if (!durable) args.push('--no-sync', ...(place.binaries.isInstalled ? [] : ['--set=scram_iterations=1']))
  await withLog(place.folder, async (output, tail) => {
    const code = await run(place, 'initdb', draft, args, output).exit
    if (code !== 0) throw new Error(`initdb failed (${code}): ${reasonIn(await tail())}`)
  })
  // Later starts look for this name, so only a complete cluster gets it.
  await rename(draft, place.data)
  return password
}

/** The line of a program's output that says what is wrong; its whole output is in `server.log`. */
function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const line = lines.find((each) => /FATAL|PANIC|error:|could not/.test(each)) ?? lines.at(-1) ?? 'it said nothing'
  return line.replace(/^.*?(?=FATAL|PANIC)/, '')
}

async function launch(place: Place, options: EmbeddedOptions): Promise<{ running: Running; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port || (await freePort())
    const outcome = await withLog(place.folder, async (output, tail) => {
      const running = run(place, 'postgres', place.data, settings(place, port, options), output)
      // A signal from outside ends this process without its `exit` event, and Postgres has a group of its own.
      const { pid } = running.child
      if (pid !== undefined) endWithParent(pid, 'INT', running.exit)
      return (await isReady(running, place.data)) ? running : tail()
    })
    if (typeof outcome !== 'string') return { running: outcome, port }
    const taken = outcome.includes('Address already in use')
    if (taken && options.port) throw new Error(`port ${port} on 127.0.0.1 is taken`)
    // Sessions of a killed postmaster need a moment to notice and leave; a free port can be lost to another starter.
    const isTemporary = taken || outcome.includes('shared memory block')
    if (!isTemporary || attempt === 50) throw new Error(`Postgres did not start: ${reasonIn(outcome)}`)
    await sleep(200)
  }
}

function settings({ binaries }: Place, port: number, { durable = true, settings: others }: EmbeddedOptions): string[] {
  const onOff = durable ? 'on' : 'off'
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: socketFolder,
    fsync: onOff,
    synchronous_commit: onOff,
    full_page_writes: onOff,
    ...(binaries.isInstalled ? {} : ownSettings(durable)),
    ...others,
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

const ownSettings = (durable: boolean) => ({
  max_connections: 100,
  shared_buffers: durable ? '256MB' : '64MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  random_page_cost: 1.1,
  max_parallel_workers_per_gather: 0,
  // Short transactions gain nothing from compiled plans, and workers for reading only cost memory on two cores.
  jit: 'off',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
})

async function isReady({ child, exit }: Running, data: string): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < readyWithinMs; waitedMs += stepMs) {
    if (hasEnded(child)) {
      await exit
      return false
    }
    const lines = await readPidFile(data)
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true
    await sleep(stepMs)
  }
  child.kill('SIGQUIT')
  await exit
  return false
}

/**
 * By the socket in the data folder, which costs both sides a fifth less of a short statement than TCP. Postgres listens on
 * TCP too: for other programs, and where the folder's path is too long for a socket.
 */
function urls(data: string, port: number, password: string): EmbeddedPostgres['url'] {
  const path = join(data, `.s.PGSQL.${port}`)
  const hasSocket = socketFolder !== '' && Buffer.byteLength(path) <= longestSocketPath
  const host = hasSocket ? `?host=${encodeURIComponent(data)}` : ''
  return (database = 'postgres') => `postgres://${user}:${password}@127.0.0.1:${port}/${database}${host}`
}

function handle(
  running: Running,
  url: EmbeddedPostgres['url'],
  port: number,
  release: () => Promise<void>,
): EmbeddedPostgres {
  const { child } = running
  const pid = child.pid ?? 0
  const exited = running.exit.then(release)
  // If this process ends without stop() (an uncaught failure), Postgres still closes by itself. On Windows, which has no
  // shell to watch it, this is all there is.
  const stopOnExit = (): boolean => child.kill('SIGINT')
  process.on('exit', stopOnExit)
  void exited.finally(() => process.off('exit', stopOnExit))
  let stopping: Promise<void> | undefined
  return {
    url,
    port,
    pid,
    exited,
    stop() {
      stopping ??= stopPostmaster(pid, () => !hasEnded(child)).then(() => exited)
      return stopping
    },
  }
}
