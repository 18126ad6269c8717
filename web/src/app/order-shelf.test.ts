import { describe, expect, test } from 'vitest'
import { createOrderShelf, randomId, SENT_TRUSTED_MS } from './order-shelf.ts'

const wish = { planId: '1', units: '25', asset: 'JU', maxPayable: '61.37' } as const

function world() {
  const memory = new Map<string, string>()
  let made = 0
  const open = () =>
    createOrderShelf(
      {
        getItem: (key) => memory.get(key) ?? null,
        setItem: (key, value) => void memory.set(key, value),
        removeItem: (key) => void memory.delete(key),
      },
      () => `request-${(made += 1)}`,
    )
  return { memory, open }
}

describe('the order shelf', () => {
  test('asks again with the same id after a lost answer, also after a reload', () => {
    const { open } = world()
    const first = open().draft(wish)
    expect(open().draft(wish)).toEqual(first)
    expect(open().draft({ ...wish, units: '26' }).requestId).not.toBe(first.requestId)
  })

  test('an answered or refused request is not asked again', () => {
    const { open } = world()
    const shelf = open()
    const first = shelf.draft(wish)
    shelf.answered(first.requestId, 'ORDER1')
    const second = shelf.draft(wish)
    expect(second.requestId).not.toBe(first.requestId)
    shelf.refused(second.requestId)
    expect(shelf.draft(wish).requestId).not.toBe(second.requestId)
    expect(open().inputOf('ORDER1')).toEqual(first)
    expect(open().inputOf('ORDER2')).toBeNull()
  })

  test('a sent payment stands in the way of a second one for a while, a failed one does not', () => {
    const { open } = world()
    const shelf = open()
    shelf.answered(shelf.draft(wish).requestId, 'ORDER1')
    shelf.paymentSent('ORDER1', '0xhash', 1_000)
    expect(open().onItsWay('ORDER1', 1_000 + SENT_TRUSTED_MS - 1)).toBe('0xhash')
    expect(open().onItsWay('ORDER1', 1_000 + SENT_TRUSTED_MS)).toBeNull()
    shelf.paymentFailed('ORDER1')
    expect(shelf.onItsWay('ORDER1', 1_001)).toBeNull()
  })

  test('broken storage is an empty shelf', () => {
    const { memory, open } = world()
    memory.set('orders', '{"not": "a list"')
    expect(open().inputOf('ORDER1')).toBeNull()
    expect(open().draft(wish).requestId).toBe('request-1')
  })

  test('ids are what the protocol takes', () => {
    expect(randomId()).toMatch(/^[A-Za-z0-9_-]{8,64}$/)
    expect(randomId()).not.toBe(randomId())
  })
})
