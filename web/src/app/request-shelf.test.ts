import { describe, expect, test } from 'vitest'
import { ASKED_AGAIN_MS, createRequestShelf, randomId } from './request-shelf.ts'
import { createSentPayments, SENT_TRUSTED_MS } from './sent-payments.ts'
import type { Shelf } from './session.ts'

function memoryShelf() {
  const memory = new Map<string, string>()
  const shelf: Shelf = {
    getItem: (key) => memory.get(key) ?? null,
    setItem: (key, value) => void memory.set(key, value),
    removeItem: (key) => void memory.delete(key),
  }
  return { memory, shelf }
}

const forbidden: Shelf = {
  getItem: () => {
    throw new Error('forbidden')
  },
  setItem: () => {
    throw new Error('forbidden')
  },
  removeItem: () => undefined,
}

function world() {
  const { memory, shelf } = memoryShelf()
  const clock = { now: 1_000 }
  let made = 0
  const open = () =>
    createRequestShelf(
      shelf,
      () => `request-${(made += 1)}`,
      () => clock.now,
    )
  return { memory, clock, open }
}

describe('what was asked for', () => {
  test('keeps its id while it has no answer, also after a reload', () => {
    const { open } = world()
    const first = open().idFor('withdraw 5')
    expect(open().idFor('withdraw 5')).toBe(first)
    expect(open().idFor('withdraw 6')).not.toBe(first)
    expect(open().idFor('withdraw 5')).toBe(first)
  })

  test('is new when it was answered, or when nobody came back to it', () => {
    const { open, clock } = world()
    const first = open().idFor('withdraw 5')
    open().answered('withdraw 5')
    const second = open().idFor('withdraw 5')
    expect(second).not.toBe(first)
    clock.now += ASKED_AGAIN_MS - 1
    expect(open().idFor('withdraw 5')).toBe(second)
    clock.now += 1
    expect(open().idFor('withdraw 5')).not.toBe(second)
  })

  test('broken or forbidden storage stands in nobody’s way', () => {
    const { open, memory } = world()
    memory.set('requests', '{"not": "a list"')
    expect(open().idFor('withdraw 5')).toBe('request-1')
    const shelf = createRequestShelf(
      forbidden,
      () => 'request-7',
      () => 0,
    )
    expect(shelf.idFor('withdraw 5')).toBe('request-7')
    expect(() => shelf.answered('withdraw 5')).not.toThrow()
  })

  test('ids are what the protocol takes', () => {
    expect(randomId()).toMatch(/^[A-Za-z0-9_-]{8,64}$/)
    expect(randomId()).not.toBe(randomId())
  })
})

describe('a sent payment', () => {
  test('stands in the way of a second one for a while, a failed one does not', () => {
    const { shelf } = memoryShelf()
    const sent = createSentPayments(shelf)
    sent.sent('ORDER1', '0xhash', 1_000)
    sent.sent('ORDER1', '0xfaster', 1_000)
    expect(createSentPayments(shelf).onItsWay('ORDER1', 1_000 + SENT_TRUSTED_MS - 1)).toBe('0xfaster')
    expect(createSentPayments(shelf).onItsWay('ORDER1', 1_000 + SENT_TRUSTED_MS)).toBeNull()
    expect(sent.onItsWay('ORDER2', 1_000)).toBeNull()
    sent.failed('ORDER1')
    expect(sent.onItsWay('ORDER1', 1_001)).toBeNull()
    expect(createSentPayments(forbidden).onItsWay('ORDER1', 0)).toBeNull()
  })
})
