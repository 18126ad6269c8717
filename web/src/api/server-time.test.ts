import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteServerTime, onClockFarOff, serverAhead, serverNow } from './server-time.ts'

const NOW = Date.parse('2026-11-26T12:00:00.400Z')
const DAY_MS = 86_400_000

beforeEach(() => void vi.useFakeTimers({ now: NOW }))
afterEach(() => {
  noteServerTime(new Date().toUTCString(), Date.now())
  vi.useRealTimers()
})

/** An answer that took so long to come, dated when it was made. */
function answered(serverTime: number, took_ms: number): void {
  const askedAt = Date.now()
  vi.advanceTimersByTime(took_ms)
  noteServerTime(new Date(serverTime).toUTCString(), askedAt)
}

test('clocks that may agree are left alone, however long an answer took', () => {
  answered(NOW, 0)
  expect(serverAhead()).toBe(0)
  answered(NOW + 300, 9_000)
  expect(serverNow()).toBe(Date.now())
})

test.each([DAY_MS, -DAY_MS, 600_000])('a device that is %d ms off knows the server’s time to a second', (off_ms) => {
  answered(NOW + off_ms, 200)
  expect(Math.abs(serverNow() - (NOW + 200 + off_ms))).toBeLessThanOrEqual(1_000)
  vi.advanceTimersByTime(60_000)
  expect(Math.abs(serverNow() - (NOW + 60_200 + off_ms))).toBeLessThanOrEqual(1_000)
})

test('the newest answer counts, also when it says that the clocks agree; one without a date changes nothing', () => {
  answered(NOW + DAY_MS, 0)
  noteServerTime(null, Date.now())
  noteServerTime('soon', Date.now())
  expect(serverAhead()).toBeGreaterThan(DAY_MS - 1_000)
  answered(NOW, 0)
  expect(serverAhead()).toBe(0)
})

test('a clock of the device that was set while an answer was on its way tells nothing', () => {
  noteServerTime(new Date(NOW + 5_000).toUTCString(), NOW + DAY_MS)
  expect(serverAhead()).toBe(0)
})

test('a clock that is more than five minutes off is told of once', () => {
  const told: number[] = []
  onClockFarOff((ahead_ms) => told.push(ahead_ms))
  answered(NOW + 240_000, 0)
  expect(told).toEqual([])
  answered(NOW - DAY_MS, 0)
  answered(NOW - DAY_MS, 0)
  expect(told).toEqual([serverAhead()])
})
