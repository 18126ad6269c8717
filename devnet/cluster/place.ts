/** The folder of a cluster: its ports and passwords, which outlive a start, the logs of its parts, and how a part is run. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '@candela/server/main/config'
import { z } from 'zod'
import { freePort, isPortTaken } from '@candela/testing/process/ports'
import { spawnGuarded } from '@candela/testing/process/spawn-guarded'
import { openLogFile } from '../server-process.ts'
import { type SupervisedProcess, supervise } from '@candela/testing/process/supervise'
import { writeFileAtomic } from '@candela/testing/process/write-file-atomic'
import { unprivileged } from './programs.ts'

export type Cleanup = () => Promise<void>

/** A part to run until the end, started again when it ends before. */
export interface Part {
  name: string
  command: string
  args: readonly string[]
  /** The part's whole environment, but for PATH. */
  env?: Record<string, string>
  /** How long it may take to stop. */
  graceMs?: number
  /** The network namespace that it is run in, when not in this process's own. Only root can. */
  namespace?: string
}

/** Where the parts of one cluster live. */
export interface Place {
  folder: string
  /** The same port for the same name at every start: members of etcd and Postgres know each other by them. */
  port: (name: string) => number
  /** The same random word for the same name at every start. */
  secret: (name: string) => string
  /** A folder in it that the parts may write to. */
  subfolder: (name: string) => Promise<string>
  /** Writes a file that only the parts can read. @returns its path */
  write: (name: string, text: string) => Promise<string>
  /** @param stops takes what stops it, when it is not stopped by itself in its turn */
  run: (part: Part, stops?: Cleanup[]) => Promise<SupervisedProcess>
  /** The process of a part that was started here, as `SupervisedProcess` has it. */
  pid: (name: string) => number
}

/** The parts to start, and what stops them. */
export interface PlaceOptions {
  folder: string
  ports: readonly string[]
  secrets: readonly string[]
  log: (line: string) => void
  signal: AbortSignal
  cleanups: Cleanup[]
}

const kept = z.object({ ports: z.record(z.string(), z.number()), secrets: z.record(z.string(), z.string()) })

/** @throws ConfigError when a port is taken, or the account of the parts cannot reach the folder */
export async function openPlace(options: PlaceOptions): Promise<Place> {
  const { folder, log, signal, cleanups } = options
  await mkdir(folder, { recursive: true })
  await requireReachable(folder)
  const { ports, secrets } = await readKept(options)
  const subfolder = async (name: string): Promise<string> => {
    const path = join(folder, name)
    await mkdir(path, { recursive: true, mode: 0o700 })
    await own(path)
    return path
  }
  await subfolder('logs')
  const parts: Record<string, SupervisedProcess> = {}
  return {
    folder,
    port: (name) => found(ports, name),
    secret: (name) => found(secrets, name),
    subfolder,
    write: async (name, text) => {
      const path = join(await subfolder('config'), name)
      await writeFile(path, text, { mode: 0o600 })
      await own(path)
      return path
    },
    run: async ({ name, env = {}, graceMs = 5000, ...part }, stops = cleanups) => {
      const logFile = await openLogFile(join(folder, 'logs', `${name}.log`))
      const running = await supervise(
        name,
        async () => {
          const { command, args, account } = asRun(part)
          const child = await spawnGuarded(command, args, {
            cwd: await subfolder('logs'),
            env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', TZ: 'UTC', ...env },
            onLine: (line) => void logFile.write(`${line}\n`),
            orphanGraceMs: graceMs,
            account,
          })
          return { pid: child.pid, exited: child.exited, stop: () => child.stop(graceMs) }
        },
        log,
        signal,
      )
      parts[name] = running
      stops.push(async () => {
        await running.stop()
        await new Promise((resolve) => void logFile.end(resolve))
      })
      return running
    },
    pid: (name) => found(parts, name).pid(),
  }
}

function found<T>(values: Readonly<Record<string, T>>, name: string): T {
  const value = values[name]
  if (value === undefined) throw new Error(`The cluster has no ${name}`)
  return value
}

/** The command that enters the part's network, which only root can, before it becomes the account of the parts. */
function asRun({ command, args, namespace }: Pick<Part, 'command' | 'args' | 'namespace'>) {
  const account = unprivileged()
  if (namespace === undefined || account === undefined) return { command, args, account }
  const becoming = ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', '--']
  return {
    command: 'nsenter',
    args: [`--net=/run/netns/${namespace}`, ...becoming, command, ...args],
    account: undefined,
  }
}

/** Gives a file or folder to the account that the parts run as. */
async function own(path: string): Promise<void> {
  const account = unprivileged()
  if (account !== undefined) await chown(path, account.uid, account.gid)
}

async function requireReachable(folder: string): Promise<void> {
  const account = unprivileged()
  if (account === undefined) return
  await promisify(execFile)('/usr/bin/test', ['-x', folder], account).catch(() => {
    throw new ConfigError(
      `Root runs Postgres as "nobody", who cannot reach ${folder}: set DATA_DIR to a folder that everybody can reach`,
    )
  })
}

async function readKept({ folder, ports, secrets }: PlaceOptions): Promise<z.infer<typeof kept>> {
  const file = join(folder, 'cluster.json')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  const saved = text === undefined ? { ports: {}, secrets: {} } : kept.parse(JSON.parse(text))
  for (const name of ports) {
    // The system may name a port twice as long as nothing listens there.
    const taken = new Set(Object.values(saved.ports))
    while (saved.ports[name] === undefined) {
      const port = await freePort()
      if (!taken.has(port)) saved.ports[name] = port
    }
  }
  for (const name of secrets) saved.secrets[name] ??= randomBytes(24).toString('hex')
  await writeFileAtomic(file, `${JSON.stringify(saved, undefined, 2)}\n`)
  await chmod(file, 0o600)
  for (const [name, port] of Object.entries(saved.ports)) {
    if (await isPortTaken(port)) {
      throw new ConfigError(`Port ${port} of ${name} is taken by another program: end it, or remove ${folder}`)
    }
  }
  return saved
}
