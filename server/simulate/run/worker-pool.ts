import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DatabaseSource } from './databases.ts'
import type { Verdict } from './run-seed.ts'

const worker = fileURLToPath(new URL('seed-worker.ts', import.meta.url))

type Answer = { child: ChildProcess; verdict: Verdict }

/** @throws when the process ends before it has a verdict */
async function ask(child: ChildProcess, seed: number): Promise<Answer> {
  const ended = new AbortController()
  try {
    child.send(seed)
    const first = await Promise.race([
      once(child, 'message', { signal: ended.signal }),
      once(child, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`the process that ran seed ${seed} ended with code ${String(code)}`)
      }),
    ])
    return { child, verdict: first[0] as Verdict }
  } finally {
    // The one that did not happen is waited for no more.
    ended.abort()
  }
}

/**
 * Runs seeds in processes of their own, as many at a time as told. Verdicts come as they are ready, and whoever stops
 * reading them stops the processes.
 */
export async function* spread(
  source: Pick<DatabaseSource, 'url' | 'template'>,
  seeds: readonly number[],
  workers: number,
  script: string = worker,
): AsyncGenerator<Verdict> {
  const waiting = [...seeds]
  const children = Array.from({ length: Math.min(workers, seeds.length) }, () =>
    fork(script, [source.url, source.template], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  )
  const asked = new Map<ChildProcess, Promise<Answer>>()
  const askNext = (child: ChildProcess) => {
    const seed = waiting.shift()
    if (seed === undefined) asked.delete(child)
    else asked.set(child, ask(child, seed))
  }
  try {
    for (const child of children) askNext(child)
    while (asked.size > 0) {
      const { child, verdict } = await Promise.race(asked.values())
      askNext(child)
      yield verdict
    }
  } finally {
    for (const answer of asked.values()) answer.catch(() => undefined)
    const alive = children.filter((child) => child.exitCode === null && child.signalCode === null)
    for (const child of alive) child.kill('SIGKILL')
    await Promise.all(alive.map((child) => once(child, 'exit')))
  }
}
