import { expect, test } from 'vitest'
import { type ProcessRun, supervise } from './supervise.ts'

/** A process whose runs end when the test says so. */
function fakeProcess() {
  const runs: { end: () => void; stopped: boolean }[] = []
  const failing = new Set<number>()
  let starts = 0
  const start = async (): Promise<ProcessRun> => {
    starts += 1
    if (failing.has(starts)) throw new Error(`no start ${starts}`)
    const ended = Promise.withResolvers<void>()
    const run = { end: () => ended.resolve(), stopped: false }
    runs.push(run)
    const stop = async () => {
      run.stopped = true
      ended.resolve()
    }
    return { pid: starts, exited: ended.promise, stop }
  }
  return { start, runs, failing, starts: () => starts }
}

const forever = new AbortController().signal

test('it comes back after each end, also when starting fails in between, and says so', async () => {
  const part = fakeProcess()
  part.failing.add(2)
  const lines: string[] = []
  const supervised = await supervise('the part', part.start, (line) => lines.push(line), forever)
  part.runs[0]?.end()
  await expect.poll(() => supervised.pid()).toBe(3)
  expect(lines).toEqual([
    'the part (process 1) has ended; starting it again',
    'the part did not start: no start 2',
    'the part runs again (process 3)',
  ])
  await supervised.stop()
  expect(part.runs.at(-1)?.stopped).toBe(true)
  expect(part.starts()).toBe(3)
})

test('a part that keeps failing is tried with growing pauses', async () => {
  const part = fakeProcess()
  for (let start = 2; start < 100; start += 1) part.failing.add(start)
  const pauses: number[] = []
  const pause = async (durationMs: number, signal: AbortSignal) => {
    pauses.push(durationMs)
    if (pauses.length === 10) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  const supervised = await supervise('the part', part.start, () => {}, forever, pause)
  part.runs[0]?.end()
  await expect.poll(() => pauses.length).toBe(10)
  expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000])
  // One try after each pause, and none while the tenth goes on.
  expect(part.starts()).toBe(10)
  await supervised.stop()
  expect(part.starts()).toBe(10)
})

test('a first start that fails is the caller’s to handle', async () => {
  const part = fakeProcess()
  part.failing.add(1)
  await expect(supervise('the part', part.start, () => {}, forever)).rejects.toThrow('no start 1')
})
