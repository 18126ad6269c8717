import { describe, expect, test, vi } from 'vitest'
import { createRouter, formatHash, parseHash } from './router.ts'
import type { HashHistory } from './router.ts'

/** A browser's history of hashes with one listener. */
function fakeHistory(first: string) {
  const entries = [first]
  let listener: (() => void) | undefined
  const history: HashHistory = {
    hash: () => entries.at(-1) ?? '',
    push: (hash) => void entries.push(hash),
    replace: (hash) => void entries.splice(-1, 1, hash),
    onChange: (given) => {
      listener = given
    },
  }
  const back = () => {
    entries.pop()
    listener?.()
  }
  const edit = (hash: string) => {
    entries.push(hash)
    listener?.()
  }
  return { history, entries, back, edit }
}

describe('reading a hash', () => {
  test.each([
    ['', '/index', {}],
    ['#', '/index', {}],
    ['#/', '/index', {}],
    ['#/index?code=CANDELA1', '/index', { code: 'CANDELA1' }],
    ['#/order?no=AB%2012&x=1', '/order', { no: 'AB 12', x: '1' }],
    ['#order/', '/order', {}],
    ['#/nowhere', '/index', {}],
    ['#/constructor', '/index', {}],
  ])('%s is %s', (hash, path, query) => {
    expect(parseHash(hash)).toEqual({ path, query })
  })

  test('what was written is read back', () => {
    const place = { path: '/index', query: { code: 'A&B=C #1' } } as const
    expect(parseHash(formatHash(place))).toEqual(place)
  })
})

describe('the router', () => {
  test('"/" becomes /index in the address bar', () => {
    const { history, entries } = fakeHistory('')
    expect(createRouter(history, (path) => path).place.get().path).toBe('/index')
    expect(entries).toEqual(['#/index'])
  })

  test('a path that the guard refuses leads home, on load as on a tap and in the address bar', () => {
    const { history, entries, edit } = fakeHistory('#/order')
    const router = createRouter(history, () => '/index')
    expect(entries).toEqual(['#/index'])
    const arrived = vi.fn()
    router.onArrival(arrived)
    router.go('/computing')
    expect(arrived).toHaveBeenLastCalledWith({ path: '/index', query: {} }, '/computing')
    edit('#/order')
    expect(arrived).toHaveBeenLastCalledWith({ path: '/index', query: {} }, '/order')
    expect(entries.at(-1)).toBe('#/index')
  })

  test('the query of an invitation survives the first load', () => {
    const { history } = fakeHistory('#/index?code=CANDELA1')
    expect(createRouter(history, () => '/index').place.get().query).toEqual({ code: 'CANDELA1' })
  })

  test('every navigation is an arrival, also to the place where one is, and back', () => {
    const { history, entries, back } = fakeHistory('#/index')
    const router = createRouter(history, (path) => path)
    const arrived = vi.fn()
    router.onArrival(arrived)
    expect(router.cameFromInside()).toBe(false)
    router.go('/order')
    router.go('/order')
    expect(entries).toEqual(['#/index', '#/order'])
    expect(router.cameFromInside()).toBe(true)
    back()
    expect(arrived).toHaveBeenCalledTimes(3)
    expect(router.place.get().path).toBe('/index')
  })
})
