import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { must } from '@candela/server/kernel/assert'

export type Bare = { port: number; pid: number; stop: () => Promise<void> }

/** Starts `bare-http.ts` in a process of its own. @throws Error when it ends before it listens */
export async function startBare(environment: Record<string, string>): Promise<Bare> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-http.ts')], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const ready = Promise.withResolvers<string>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => ready.resolve(text))
  child.once('exit', (code) => ready.reject(new Error(`bare-http.ts ended with ${code}`)))
  const port = Number(await ready.promise)
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  return { port, pid: must(child.pid, 'a process that listens has a number'), stop }
}
