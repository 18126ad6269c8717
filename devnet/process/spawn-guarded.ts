/**
 * Child processes that cannot outlive their parent. A small shell stands between: when its input closes, because we
 * died by whatever signal, it ends the child. Each child has a process group of its own, so that a Ctrl-C in the
 * terminal reaches the launcher alone and parts stop in order.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'

/** A running child. */
export interface GuardedProcess {
  /** The process itself, not the shell that guards it. */
  pid: number
  /** Settles when it has ended, however it ended; never rejects. */
  exited: Promise<{ code: number | null }>
  /** Ends it with SIGTERM, and with SIGKILL after `graceMs`. Resolves when it is gone. May be called twice. */
  stop: (graceMs: number) => Promise<void>
}

/** How to run it. `onLine` gets each line of both outputs; without it they are discarded. */
export interface GuardedOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  onLine?: (line: string) => void
  /** How long the child may take to end by itself after this process has died. */
  orphanGraceMs?: number
}

// $0 is the grace in seconds. File 3 is the shell's own input, which only the parent's death closes; file 4 reports
// the pid. The inner shell ends the whole group, with what the child
// started; it is killed itself as soon as the child has been waited for.
const guardScript = `
exec 3<&0
grace=$0
"$@" </dev/null 3<&- 4>&- &
child=$!
echo "$child" >&4
exec 4>&-
exec 2>/dev/null
( read -r _ <&3; kill -TERM "$child"; [ "$grace" -gt 0 ] && sleep "$grace"; kill -KILL 0 ) >/dev/null 2>&1 &
guard=$!
exec 3<&-
wait "$child"
code=$?
kill -KILL "$guard" 2>/dev/null
exit "$code"
`

/**
 * Starts a command that ends when this process does.
 * @throws if it cannot be started at all
 */
export async function spawnGuarded(
  command: string,
  args: readonly string[],
  options: GuardedOptions = {},
): Promise<GuardedProcess> {
  // Windows has no such shell; there a hard kill of the launcher leaves its children to the next start.
  const guarded = process.platform !== 'win32'
  const graceSeconds = Math.ceil((options.orphanGraceMs ?? 0) / 1000)
  const output = options.onLine === undefined ? 'ignore' : 'pipe'
  const child = guarded
    ? spawn('/bin/sh', ['-c', guardScript, String(graceSeconds), command, ...args], {
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        env: options.env ?? process.env,
        detached: true,
        stdio: ['pipe', output, output, 'ignore', 'pipe'],
      })
    : spawn(command, [...args], {
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        env: options.env ?? process.env,
        stdio: ['ignore', output, output],
      })
  const ended = Promise.withResolvers<{ code: number | null }>()
  let gone = false
  child.once('exit', (code) => {
    gone = true
    child.stdin?.destroy()
    ended.resolve({ code })
  })
  if (options.onLine !== undefined) forwardLines(child, options.onLine)
  // The guard's pipe breaks when the child ends, which `exit` already tells.
  child.stdin?.on('error', () => {})
  const pid = await startedPid(child, guarded)
  const stop = async (graceMs: number): Promise<void> => {
    if (gone) return
    signal(pid, 'SIGTERM')
    const timer = setTimeout(() => {
      // The group is ours for as long as its shell has not been waited for.
      if (!gone && child.pid !== undefined) signal(guarded ? -child.pid : child.pid, 'SIGKILL')
    }, graceMs)
    await ended.promise
    clearTimeout(timer)
    // Whatever the child had started itself belongs to its group, and ends with it.
    if (guarded && child.pid !== undefined) signal(-child.pid, 'SIGKILL')
  }
  return { pid, exited: ended.promise, stop }
}

function startedPid(child: ChildProcess, guarded: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    if (!guarded) {
      child.once('spawn', () => resolve(child.pid ?? 0))
      return
    }
    const pipe = child.stdio[4]
    if (!pipe || !('setEncoding' in pipe)) throw new Error('The guard has no pipe for the pid')
    let text = ''
    pipe.setEncoding('utf8')
    pipe.on('data', (chunk: string) => (text += chunk))
    pipe.once('end', () => {
      const pid = Number(text.trim())
      if (Number.isInteger(pid) && pid > 0) resolve(pid)
      else reject(new Error('The command could not be started'))
    })
  })
}

function forwardLines(child: ChildProcess, onLine: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream?.setEncoding('utf8')
    stream?.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    })
    stream?.once('end', () => {
      if (rest !== '') onLine(rest)
    })
  }
}

/** Ends a process that was started without a guard when this one dies. `exited` tells when there is nothing to end. */
export function endWithParent(pid: number, name: 'INT' | 'TERM', exited: Promise<unknown>): void {
  if (process.platform === 'win32') return
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill "-$1" "$2"', 'sh', name, String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.on('error', () => {})
  watcher.stdin.on('error', () => {})
  // Killed before its input closes, so that it cannot reach for a number that is another process's by then.
  void exited.finally(() => watcher.kill('SIGKILL'))
}

/** Sends a signal; a process that is gone already is what was wanted. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A port that nobody listened on a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('The system named no port'))
      })
    })
  })
}

/** Whether something listens on the port of 127.0.0.1. */
export function isPortTaken(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(true)
      else reject(error)
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)))
  })
}
