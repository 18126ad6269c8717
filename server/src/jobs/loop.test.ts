import { expect, test } from 'vitest'
import { silentLog } from '../kernel/log.ts'
import { keptLog } from '../kernel/testing-log.ts'
import { runLoop } from './loop.ts'

async function until(holds: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 1000 && !holds(); attempt++) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(holds()).toBe(true)
}

test('a failure is logged when it appears and when it changes, not each time, and so is its end', async () => {
  const { log, lines } = keptLog('info')
  const failures = ['a', 'a', 'a', 'b', 'b', null]
  let calls = 0
  const loop = runLoop({
    name: 'trying',
    log,
    interval_ms: 1,
    longestPause_ms: 2,
    work: () => {
      const failure = failures[Math.min(calls++, failures.length - 1)]
      return failure === null ? Promise.resolve(false) : Promise.reject(new Error(failure))
    },
  })
  await until(() => calls > 8)
  expect(loop.failure()).toBeNull()
  await loop.stop()
  const said = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(said).toEqual(['trying: a; trying again', 'trying: b; trying again', 'trying: works again'])
})

test('stopping waits for the work under way, starts no more, and does not wait for the pause', async () => {
  let [calls, isWorking] = [0, false]
  const loop = runLoop({
    name: 'working',
    log: silentLog(),
    interval_ms: 3_600_000,
    work: async () => {
      calls += 1
      isWorking = true
      await new Promise((resolve) => setTimeout(resolve, 20))
      isWorking = false
      return calls < 3
    },
  })
  await until(() => calls === 2)
  expect(isWorking).toBe(true)
  await loop.stop()
  await loop.stop()
  expect([calls, isWorking]).toEqual([2, false])
})
