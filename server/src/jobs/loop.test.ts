import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { LEASE_LOST } from '../db/lease/fence.ts'
import { silentLog } from '../kernel/log.ts'
import { keptLog } from '@candela/testing/server/kept-log'
import { runLoop } from './loop.ts'

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
  await expect.poll(() => calls).toBeGreaterThan(8)
  expect(loop.failure()).toBeNull()
  await loop.stop()
  const said = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(said).toEqual(['trying: a; trying again', 'trying: b; trying again', 'trying: works again'])
})

test('stopping waits for the work under way and starts no more', async () => {
  const pieces: PromiseWithResolvers<boolean>[] = []
  const loop = runLoop({
    name: 'working',
    log: silentLog(),
    interval_ms: 1,
    work: () => {
      const piece = Promise.withResolvers<boolean>()
      pieces.push(piece)
      return piece.promise
    },
  })
  pieces[0]?.resolve(true)
  await expect.poll(() => pieces.length).toBe(2)
  let hasStopped = false
  const stopped = loop.stop().then(() => (hasStopped = true))
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  expect(hasStopped).toBe(false)
  pieces[1]?.resolve(true)
  await stopped
  await loop.stop()
  expect(pieces).toHaveLength(2)
})

test('work whose lease another server has taken is not tried again, and that is logged elsewhere', async () => {
  const { log, lines } = keptLog('info')
  let calls = 0
  const lost = Object.assign(new DatabaseError('another server has taken it', 0, 'error'), { code: LEASE_LOST })
  const failures = [new Error('first'), lost]
  const loop = runLoop({
    name: 'writing',
    log,
    interval_ms: 1,
    work: () => Promise.reject(failures[Math.min(calls++, 1)] ?? lost),
  })
  await expect.poll(() => loop.failure()).toBe('another server has taken it')
  await loop.stop()
  expect(calls).toBe(2)
  expect(lines).toHaveLength(1)
})

test('stopping does not wait for the pause', async () => {
  let calls = 0
  const loop = runLoop({
    name: 'working',
    log: silentLog(),
    interval_ms: 2 ** 31 - 1,
    work: () => Promise.resolve(++calls < 2),
  })
  await expect.poll(() => calls).toBe(2)
  // The second piece has no more after it: the loop pauses for weeks.
  await nextTurn()
  await loop.stop()
  expect(calls).toBe(2)
})

test('who is woken works at once, or once more after the piece under way', async () => {
  const pieces: PromiseWithResolvers<boolean>[] = []
  const loop = runLoop({
    name: 'working',
    log: silentLog(),
    interval_ms: 2 ** 31 - 1,
    work: () => {
      const piece = Promise.withResolvers<boolean>()
      pieces.push(piece)
      return piece.promise
    },
  })
  loop.wake()
  pieces[0]?.resolve(false)
  await expect.poll(() => pieces.length).toBe(2)
  pieces[1]?.resolve(false)
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  expect(pieces).toHaveLength(2)
  loop.wake()
  await expect.poll(() => pieces.length).toBe(3)
  pieces[2]?.resolve(false)
  await loop.stop()
  expect(pieces).toHaveLength(3)
})

test('waking shortens no pause after a failure', async () => {
  let calls = 0
  const loop = runLoop({
    name: 'failing',
    log: silentLog(),
    interval_ms: 2 ** 31 - 1,
    longestPause_ms: 2 ** 31 - 1,
    work: () => {
      calls += 1
      return Promise.reject(new Error('no answer'))
    },
  })
  await expect.poll(() => loop.failure()).toBe('no answer')
  loop.wake()
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  expect(calls).toBe(1)
  await loop.stop()
})
