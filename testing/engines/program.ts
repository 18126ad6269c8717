import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Starts a program in a group and a home of its own, and waits for what it says first. `stop` ends all of the group. */
export async function startProgram(
  command: string,
  args: (home: string) => readonly string[],
  waitFor: RegExp | null,
  { env = {}, prepare }: { env?: Readonly<Record<string, string>>; prepare?: (home: string) => Promise<void> } = {},
): Promise<{ home: string; said: RegExpExecArray | null; stop: () => Promise<void> }> {
  const home = await mkdtemp(path.join(tmpdir(), 'candela-engine-'))
  await prepare?.(home)
  const child = spawn(command, args(home), {
    detached: true,
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, XDG_RUNTIME_DIR: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async () => {
    await end(child)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
  const said =
    waitFor === null
      ? null
      : await untilSaid(child, waitFor).catch(async (error: unknown) => {
          await stop()
          throw error
        })
  return { home, said, stop }
}

function untilSaid(child: ChildProcess, wanted: RegExp): Promise<RegExpExecArray> {
  let text = ''
  return new Promise((resolve, reject) => {
    const read = (bytes: Buffer) => {
      text += String(bytes)
      const found = wanted.exec(text)
      if (found !== null) resolve(found)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}: ${text}`)))
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
  await ended
}
