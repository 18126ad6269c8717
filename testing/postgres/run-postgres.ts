/** Runs the programs of Postgres on one data folder: as which user, with what environment, and where their output goes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chown, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'

type Account = { uid: number; gid: number }

/** A folder with its cluster in `data`, the programs to run on it, and the user to run them as when we are root. */
export type Place = { binaries: Binaries; folder: string; data: string; account: Account | undefined }

/** A program that was started. `exit` is its exit code, and rejects when it could not be started. */
export type Running = { child: ChildProcess; exit: Promise<number | null> }

const nobody = 65534

/** Postgres refuses to run as root. Root runs it as the owner of the data, for a new cluster as "nobody". */
export async function accountFor(folder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const existing = await stat(join(folder, 'data')).catch(() => undefined)
  const account = existing ? { uid: existing.uid, gid: existing.gid } : { uid: nobody, gid: nobody }
  await chown(folder, account.uid, account.gid)
  return account
}

/** The path by which a program that runs in `cwd` reaches that folder. */
export function workingFolder(place: Place, cwd: string): string {
  // Another user may not be allowed to read the path to the data (a project under /root). So the program is started
  // inside the folder and reaches it by the kernel's link to the working folder, which needs no permission on the path.
  return place.account && process.platform === 'linux' ? '/proc/self/cwd' : cwd
}

/** Starts one program with its working folder in `cwd`, and its output written to the file descriptor `output`. */
export function run(place: Place, program: string, cwd: string, args: string[], output: number): Running {
  const child = spawn(join(place.binaries.bin, program), ['-D', workingFolder(place, cwd), ...args], {
    cwd,
    // Nothing of our environment: it may hold keys, and PG… variables would change what is started.
    env: { TZ: 'UTC' },
    stdio: ['ignore', output, output],
    // A process group of its own, so that Ctrl-C in a terminal does not stop the database before the server has closed.
    detached: true,
    ...place.account,
  })
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code))
  })
  // Callers that await `exit` see the rejection; without a handler here it would also end this process.
  exit.catch(() => undefined)
  return { child, exit }
}

/** Whether the program has ended, or was never started. */
export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

type LogUse<T> = (output: number, tail: () => Promise<string>) => Promise<T>

/**
 * Opens the folder's `server.log` for a program's output; `tail` reads the end of what it has written. A file and not a
 * pipe, so that Postgres can still write while it closes after the end of this process.
 */
export async function withLog<T>(folder: string, use: LogUse<T>): Promise<T> {
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
