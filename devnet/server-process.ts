/** The service as a child process: started, waited for until it is ready, its log kept in a file. */
import { createWriteStream, type WriteStream } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildServer, serverProgram } from '@candela/testing/build/build-server'
import type { ProcessRun } from '@candela/testing/process/supervise'
import { spawnGuarded } from '@candela/testing/process/spawn-guarded'

const root = join(import.meta.dirname, '..')
/** How long the server may take to finish its requests and jobs; after that it is killed. */
const graceMs = 9500
/**
 * The slowest machines emulate another processor and need this long; a server that cannot start ends by itself, which is seen at once.
 */
const readyWithinMs = 600_000
const largestLogBytes = 20 * 1024 * 1024
const warnLevel = 40

/** The server to run, and where its lines go. */
export interface ServerOptions {
  env: NodeJS.ProcessEnv
  port: number
  logFile: WriteStream
  /** Called with warnings, errors, and every line that is not a log line. */
  log: (line: string) => void
}

/** Opens the file for the server's log; a file over the size limit is renamed first. */
export async function openLogFile(path: string): Promise<WriteStream> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  if (size > largestLogBytes) await rename(path, `${path}.old`)
  return createWriteStream(path, { flags: 'a', mode: 0o600 })
}

/** Starts the server and waits until it says that it is ready. @throws when it ends or is not ready in time */
export async function startServer(
  options: ServerOptions,
  signal: AbortSignal,
  onPid: (pid: number) => Promise<void>,
): Promise<ProcessRun> {
  await buildServer(options.log)
  signal.throwIfAborted()
  const child = await spawnGuarded(process.execPath, [serverProgram], {
    cwd: root,
    env: options.env,
    orphanGraceMs: graceMs,
    onLine: (line) => {
      if (options.logFile.writable) options.logFile.write(`${line}\n`)
      const text = importantPart(line)
      if (text !== undefined) options.log(`server: ${text}`)
    },
  })
  const stop = () => child.stop(graceMs)
  try {
    await onPid(child.pid)
    await waitUntilReady(options.port, child.exited, signal)
    return { pid: child.pid, exited: child.exited, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function waitUntilReady(
  port: number,
  exited: Promise<{ code: number | null }>,
  signal: AbortSignal,
): Promise<void> {
  let end: { code: number | null } | undefined
  void exited.then((result) => (end = result))
  let last = 'no answer'
  const giveUpMs = performance.now() + readyWithinMs
  while (performance.now() < giveUpMs) {
    if (end !== undefined) throw new Error(`the server ended with code ${String(end.code)} before it was ready`)
    signal.throwIfAborted()
    try {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(90_000) })
      if (response.ok) return
      last = await response.text()
    } catch {
      // It does not listen yet.
    }
    await sleep(100)
  }
  throw new Error(`the server is not ready after ${readyWithinMs / 1000} s: ${last}`)
}

type Entry = { level?: number; event?: string; msg?: string; reason?: string; err?: { message?: string } }

/** Takes what is shown of a line: nothing of log lines below warning, the message of others, and any other line as it is. */
function importantPart(line: string): string | undefined {
  if (line.trim() === '') return undefined
  try {
    const entry = JSON.parse(line) as Entry
    if ((entry.level ?? 0) < warnLevel) return undefined
    // Our own deployment announces the standby of the attester, and its notice lasts for seven days. It stands in the log file.
    if (entry.event === 'contract.notice') return undefined
    return [entry.msg, entry.reason ?? entry.err?.message].filter((part) => part !== undefined).join(': ')
  } catch {
    return line
  }
}
