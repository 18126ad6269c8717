/**
 * Child processes that end when their parent does. The parent starts a small shell, the guard, which starts the child.
 * When the guard's input closes, because the parent has ended by whatever signal, the guard ends the child. Each child has
 * a process group of its own, so that a Ctrl-C in the terminal reaches the launcher alone and parts stop in order.
 */
import { type ChildProcess, spawn } from 'node:child_process'

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
  /** How long the child may take to end by itself after this process has ended. */
  orphanGraceMs?: number
  /** Whom root runs it as, when not as itself. */
  account?: { uid: number; gid: number } | undefined
}

// $0 is the grace in seconds. File 3 is the shell's own input, which only the parent's death closes; file 4 reports
// the pid. The inner shell ends the whole group, with the processes that the child started; it is killed itself when the
// child has exited.
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
  // Windows has no such shell; there the children of a killed launcher run on until the next start ends them.
  const guarded = process.platform !== 'win32'
  const graceSeconds = Math.ceil((options.orphanGraceMs ?? 0) / 1000)
  const output = options.onLine === undefined ? 'ignore' : 'pipe'
  const child = guarded
    ? spawn('/bin/sh', ['-c', guardScript, String(graceSeconds), command, ...args], {
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        env: options.env ?? process.env,
        ...options.account,
        detached: true,
        stdio: ['pipe', output, output, 'ignore', 'pipe'],
      })
    : spawn(command, [...args], {
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        env: options.env ?? process.env,
        ...options.account,
        stdio: ['ignore', output, output],
      })
  const ended = Promise.withResolvers<{ code: number | null }>()
  let hasExited = false
  child.once('exit', (code) => {
    hasExited = true
    child.stdin?.destroy()
    ended.resolve({ code })
  })
  if (options.onLine !== undefined) forwardLines(child, options.onLine)
  // Writing to a guard that has ended fails; the `exit` event already reports that end.
  child.stdin?.on('error', () => {})
  const pid = await startedPid(child, guarded)
  const stop = async (graceMs: number): Promise<void> => {
    if (hasExited) return
    signal(pid, 'SIGTERM')
    const timer = setTimeout(() => {
      // Until the shell has been waited for, no other process group can get this number.
      if (!hasExited && child.pid !== undefined) signal(guarded ? -child.pid : child.pid, 'SIGKILL')
    }, graceMs)
    await ended.promise
    clearTimeout(timer)
    // Processes that the child had started are in its group, and are killed as well.
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

/** Ends a process that was started without a guard when this one ends. `exited`: when there is nothing left to end. */
export function endWithParent(pid: number, name: 'INT' | 'TERM', exited: Promise<unknown>): void {
  if (process.platform === 'win32') return
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill "-$1" "$2"', 'sh', name, String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.on('error', () => {})
  watcher.stdin.on('error', () => {})
  // Killed before its input closes, because by then another process may have the number.
  void exited.finally(() => watcher.kill('SIGKILL'))
}

/** Sends a signal. A process that has ended already is not an error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
