import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareBinaries } from './binaries.ts'
import { isPostgresOn, ownFolder, processIdentity } from '../process/folder-lock.ts'

/** A Postgres of our own, running. */
export type EmbeddedPostgres = {
  /** Connection string; the private cluster's first database is `postgres`. */
  url(database?: string): string
  port: number
  /** The postmaster's process number. */
  pid: number
  /** Resolves when the postmaster has ended, asked or not. */
  exited: Promise<void>
  /** Ends sessions, writes everything, stops. Calling it again is harmless. */
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** Holds the data, the password and the server's log. Made when missing. */
  folder: string
  /** A port on 127.0.0.1; 0 or absent takes a free one. */
  port?: number
  /** False only for throw-away clusters of tests: a power cut then loses data. */
  durable?: boolean
}

const user = 'candela'
const nobody = 65534
const patience = { step_ms: 20, ready_ms: 60_000, fast_ms: 15_000, immediate_ms: 5_000 }

/**
 * Starts Postgres on the folder, or resumes it after any kind of end. A postmaster that a killed parent left behind is
 * stopped first, so there are never two on one folder.
 * @throws when binaries are missing, the port is taken, or a living process uses the folder.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { folder: binaries } = await prepareBinaries()
  await mkdir(options.folder, { recursive: true, mode: 0o700 })
  const folder = await realpath(options.folder)
  const owner = await ownFolder(folder)
  try {
    const place: Place = { binaries, folder, data: join(folder, 'data'), account: await accountFor(folder) }
    await stopLeftover(place.data)
    const password = await initialise(place, options.durable ?? true)
    const { running, port } = await launch(place, options)
    return handle(running, port, password, () => owner.release())
  } catch (error) {
    await owner.release()
    throw error
  }
}

/**
 * Removes the folder of a throw-away cluster whose parent was killed, and stops what still runs on it.
 * @throws when a living process uses the folder.
 */
export async function discardEmbeddedPostgres(path: string): Promise<void> {
  const folder = await realpath(path)
  await ownFolder(folder)
  await stopLeftover(join(folder, 'data'))
  await rm(folder, { recursive: true, force: true })
}

type Account = { uid: number; gid: number }
type Place = { binaries: string; folder: string; data: string; account: Account | undefined }

// Postgres refuses to run as root. Root runs it as whoever owns the data, at first as "nobody".
async function accountFor(folder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const existing = await stat(join(folder, 'data')).catch(() => undefined)
  const account = existing ? { uid: existing.uid, gid: existing.gid } : { uid: nobody, gid: nobody }
  await chown(folder, account.uid, account.gid)
  return account
}

type Running = { child: ChildProcess; exit: Promise<number | null> }

function run(place: Place, program: string, cwd: string, args: string[], output: number): Running {
  // As another user the path to the data may be closed (a project under /root), so Postgres is put inside the folder
  // and reaches it by the kernel's link to the working folder, which no permission on the way bars.
  const dataArgument = place.account && process.platform === 'linux' ? '/proc/self/cwd' : cwd
  const child = spawn(join(place.binaries, 'bin', program), ['-D', dataArgument, ...args], {
    cwd,
    // Nothing of our environment: it may hold keys, and PG… variables would change what is started.
    env: { TZ: 'UTC' },
    stdio: ['ignore', output, output],
    // Its own process group: Ctrl-C in a terminal must not stop the database under a server that is still closing.
    detached: true,
    ...place.account,
  })
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code))
  })
  // Whoever waits for the end hears of a failed spawn; without this line it would also end the whole program.
  exit.catch(() => undefined)
  return { child, exit }
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
  const args = [`--username=${user}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C']
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  args.push(`--pwfile=${place.account && process.platform === 'linux' ? '/proc/self/cwd/../password' : passwordFile}`)
  if (!durable) args.push('--no-sync')
  await withLog(place.folder, async (output, tail) => {
    const code = await run(place, 'initdb', draft, args, output).exit
    if (code !== 0) throw new Error(`initdb failed (${code}): ${await tail()}`)
  })
  // Only a complete cluster gets the name that later starts look for.
  await rename(draft, place.data)
  return password
}

async function launch(place: Place, options: EmbeddedOptions): Promise<{ running: Running; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port || (await freePort())
    const outcome = await withLog(place.folder, async (output, tail) => {
      const running = run(place, 'postgres', place.data, settings(port, options.durable ?? true), output)
      return (await isReady(running, place.data)) ? running : tail()
    })
    if (typeof outcome !== 'string') return { running: outcome, port }
    const taken = outcome.includes('Address already in use')
    if (taken && options.port) throw new Error(`port ${port} on 127.0.0.1 is taken`)
    // Sessions of a killed postmaster need a moment to notice and leave; a free port can be lost to another starter.
    const passing = taken || outcome.includes('shared memory block')
    if (!passing || attempt === 50) throw new Error(`Postgres did not start: ${outcome}`)
    await sleep(200)
  }
}

function settings(port: number, durable: boolean): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
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
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function isReady({ child, exit }: Running, data: string): Promise<boolean> {
  for (let waited_ms = 0; waited_ms < patience.ready_ms; waited_ms += patience.step_ms) {
    if (hasEnded(child)) {
      await exit
      return false
    }
    const lines = await pidFile(data)
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true
    await sleep(patience.step_ms)
  }
  child.kill('SIGQUIT')
  await exit
  return false
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

function handle(running: Running, port: number, password: string, release: () => Promise<void>): EmbeddedPostgres {
  const { child } = running
  const pid = child.pid ?? 0
  const exited = running.exit.then(release)
  // If this process ends without stop() (an uncaught failure), Postgres still closes by itself.
  const lastResort = (): boolean => child.kill('SIGINT')
  process.on('exit', lastResort)
  void exited.finally(() => process.off('exit', lastResort))
  let stopping: Promise<void> | undefined
  return {
    url: (database = 'postgres') => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`,
    port,
    pid,
    exited,
    stop() {
      stopping ??= stopProcess(pid, () => !hasEnded(child)).then(() => exited)
      return stopping
    },
  }
}

async function stopLeftover(data: string): Promise<void> {
  const pid = Number((await pidFile(data))[0])
  if (!Number.isInteger(pid) || pid <= 0) return
  if (await isPostgresOn(pid, data)) {
    await stopProcess(pid, async () => (await processIdentity(pid)) !== undefined)
    return
  }
  // The number may by now belong to another process of the same user, which Postgres would take for a postmaster.
  await rm(join(data, 'postmaster.pid'), { force: true })
}

async function stopProcess(pid: number, isRunning: () => boolean | Promise<boolean>): Promise<void> {
  // Fast shutdown first; then immediate, which the next start repairs from the log; then by force.
  const steps = [
    ['SIGINT', patience.fast_ms],
    ['SIGQUIT', patience.immediate_ms],
    ['SIGKILL', patience.immediate_ms],
  ] as const
  for (const [signal, limit_ms] of steps) {
    if (!(await isRunning())) return
    process.kill(pid, signal)
    for (let waited_ms = 0; waited_ms < limit_ms && (await isRunning()); waited_ms += patience.step_ms) {
      await sleep(patience.step_ms)
    }
  }
  if (await isRunning()) throw new Error(`Postgres (process ${pid}) cannot be stopped`)
}

async function pidFile(data: string): Promise<string[]> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n')
}

type LogUse<T> = (output: number, tail: () => Promise<string>) => Promise<T>

// Postgres writes to a file, not to a pipe of ours, so that it does not depend on our life.
async function withLog<T>(folder: string, use: LogUse<T>): Promise<T> {
  const path = join(folder, 'server.log')
  const file = await open(path, 'a', 0o600)
  try {
    const { size } = await file.stat()
    return await use(file.fd, async () => {
      const text = await readFile(path)
      return text.subarray(size).toString('utf8').trim().slice(-2000)
    })
  } finally {
    await file.close()
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', resolve)
  })
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
