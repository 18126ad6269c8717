import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DatabaseSource } from './database.ts'
import type { Verdict } from './run-seed.ts'

const worker = fileURLToPath(new URL('run-worker.ts', import.meta.url))

/** Runs seeds in processes of their own, as many at a time as told; verdicts come in any order. Stops when `return`ed. */
export async function* spread(
  source: Pick<DatabaseSource, 'url' | 'template'>,
  seeds: readonly number[],
  workers: number,
  script: string = worker,
): AsyncGenerator<Verdict> {
  const children: ChildProcess[] = []
  const waiting = [...seeds]
  const verdicts: Verdict[] = []
  // Nobody waits before the first verdict.
  let wake: (() => void) | undefined
  let running = 0
  let failure: Error | undefined
  const next = (child: ChildProcess) => {
    const seed = waiting.shift()
    if (seed === undefined) {
      child.disconnect()
      return
    }
    child.send(seed)
  }
  for (let count = 0; count < Math.min(workers, seeds.length); count++) {
    const child = fork(script, [source.url, source.template], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    children.push(child)
    running += 1
    child.on('message', (verdict: Verdict) => {
      verdicts.push(verdict)
      next(child)
      wake?.()
    })
    child.on('exit', (code) => {
      running -= 1
      if (code !== 0) failure ??= new Error(`a process that runs seeds ended with code ${code}`)
      wake?.()
    })
    next(child)
  }
  try {
    for (;;) {
      const verdict = verdicts.shift()
      if (verdict === undefined && running === 0) break
      if (verdict !== undefined) yield verdict
      else await new Promise<void>((resolve) => (wake = resolve))
      if (failure !== undefined) throw failure
    }
  } finally {
    const alive = children.filter((child) => child.exitCode === null && child.signalCode === null)
    for (const child of alive) child.kill('SIGKILL')
    await Promise.all(alive.map((child) => once(child, 'exit')))
  }
}
