import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../kernel/log.ts'
import { readinessOf } from './health.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('readiness is checked once for all requests within a second', async () => {
  let checks = 0
  const readiness = readinessOf({ database: async () => ({ ok: ++checks > 0 }) }, silentLog())
  await Promise.all(Array.from({ length: 200 }, readiness))
  vi.advanceTimersByTime(999)
  await readiness()
  expect(checks).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await readiness()).toEqual({ ready: true, parts: { database: { ok: true } } })
  expect(checks).toBe(2)
})

test('a part that fails is not ready, and neither is the whole', async () => {
  const checks = {
    database: () => Promise.reject(new Error('password of candela is wrong')),
    chain: async () => ({ ok: true }),
  }
  const readiness = readinessOf(checks, silentLog())
  expect(await readiness()).toEqual({ ready: false, parts: { database: { ok: false }, chain: { ok: true } } })
})
