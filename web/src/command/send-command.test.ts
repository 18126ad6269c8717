import { describe, expect, test } from 'vitest'
import { RETRY_WINDOW_MS, createPendingRequests, newRequestId } from './send-command.ts'
import { memoryStorage } from '../lib/storage.ts'
import { forbiddenStorage } from '../lib/testing-storage.ts'

function setUp() {
  const memory = new Map<string, string>()
  const clock = { now: 1_000 }
  let made = 0
  const open = () =>
    createPendingRequests(
      memoryStorage(memory),
      () => `request-${(made += 1)}`,
      () => clock.now,
    )
  return { memory, clock, open }
}

describe('what was asked for', () => {
  test('keeps its id while it has no answer, also after a reload', () => {
    const { open } = setUp()
    const first = open().idFor('withdraw 5')
    expect(open().idFor('withdraw 5')).toBe(first)
    expect(open().idFor('withdraw 6')).not.toBe(first)
    expect(open().idFor('withdraw 5')).toBe(first)
  })

  test('is new when it was answered, or when it was not sent again in time', () => {
    const { open, clock } = setUp()
    const first = open().idFor('withdraw 5')
    open().answered('withdraw 5')
    const second = open().idFor('withdraw 5')
    expect(second).not.toBe(first)
    clock.now += RETRY_WINDOW_MS - 1
    expect(open().idFor('withdraw 5')).toBe(second)
    clock.now += 1
    expect(open().idFor('withdraw 5')).not.toBe(second)
  })

  test('broken or forbidden storage prevents nothing', () => {
    const { open, memory } = setUp()
    memory.set('requests', '{"not": "a list"')
    expect(open().idFor('withdraw 5')).toBe('request-1')
    const storage = createPendingRequests(
      forbiddenStorage,
      () => 'request-7',
      () => 0,
    )
    expect(storage.idFor('withdraw 5')).toBe('request-7')
    expect(() => storage.answered('withdraw 5')).not.toThrow()
  })

  test('ids are UUIDs of version 7: made now, each another', () => {
    const before = Date.now()
    const ids = Array.from({ length: 1_000 }, newRequestId)
    expect(new Set(ids.map((id) => id.slice(12))).size).toBe(1_000)
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
      const time = Number.parseInt(id.slice(0, 12), 16)
      expect(time).toBeGreaterThanOrEqual(before)
      expect(time).toBeLessThanOrEqual(Date.now())
    }
  })
})
