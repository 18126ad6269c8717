import { describe, expect, test, vi } from 'vitest'
import { guard } from './guard.ts'
import { createRouter, formatHash, parseHash } from './router.ts'
import type { HashHistory } from './router.ts'
import type { Path } from './routes.ts'
import { registerOverlay } from '../ui/overlay/overlays.ts'

/** A browser's history of hashes with one listener. */
function fakeHistory(first: string) {
  const entries = [first]
  const positions: (number | null)[] = [null]
  let listener: (() => void) | undefined
  const history: HashHistory = {
    hash: () => entries.at(-1) ?? '',
    position: () => positions.at(-1) ?? null,
    push: (hash, position) => {
      entries.push(hash)
      positions.push(position)
    },
    replace: (hash, position) => {
      entries.splice(-1, 1, hash)
      positions.splice(-1, 1, position)
    },
    onChange: (given) => {
      listener = given
    },
  }
  const back = () => {
    entries.pop()
    positions.pop()
    listener?.()
  }
  const edit = (hash: string) => {
    entries.push(hash)
    positions.push(null)
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

  test('back closes what lies over the screen, and the screen stays; the next back leaves it', () => {
    const { history, entries, back, edit } = fakeHistory('#/index')
    const router = createRouter(history, (path) => path)
    router.go('/deposit', { no: 'A' })
    const arrived = vi.fn()
    router.onArrival(arrived)
    const forget = registerOverlay(() => forget())
    back()
    expect([router.place.get(), entries]).toEqual([
      { path: '/deposit', query: { no: 'A' } },
      ['#/index', '#/deposit?no=A'],
    ])
    expect(arrived).not.toHaveBeenCalled()
    back()
    expect([router.place.get().path, entries]).toEqual(['/index', ['#/index']])
    // An address that is written leads there, whatever is open; back from there is back as well.
    const forgetNext = registerOverlay(() => forgetNext())
    edit('#/order')
    expect(router.place.get().path).toBe('/order')
    forgetNext()
    back()
    expect(router.place.get().path).toBe('/index')
  })

  test('a path that the guard refuses leads home, on load as on a tap and in the address bar', () => {
    const { history, entries, edit } = fakeHistory('#/order')
    const router = createRouter(history, () => '/index')
    expect(entries).toEqual(['#/index?next=%2Forder'])
    const arrived = vi.fn()
    router.onArrival(arrived)
    router.go('/computing')
    expect(arrived).toHaveBeenLastCalledWith({ path: '/index', query: { next: '/computing' } }, '/computing')
    edit('#/order')
    expect(arrived).toHaveBeenLastCalledWith({ path: '/index', query: { next: '/order' } }, '/order')
    expect(entries.at(-1)).toBe('#/index?next=%2Forder')
    // The code of an invitation has its own place, and is used once.
    edit('#/order?no=AB12&code=CANDELA1')
    expect(arrived).toHaveBeenLastCalledWith({ path: '/index', query: { next: '/order?no=AB12' } }, '/order')
  })

  test('what the guard refused is gone to after a sign-in, with its query, also after a reload', () => {
    const { history, entries } = fakeHistory('#/order?no=AB%2012')
    let token = ''
    const allow = (path: Path) => guard(path, () => token)
    createRouter(history, allow)
    const reloaded = createRouter(history, allow)
    token = 'a'
    reloaded.goOn()
    expect(reloaded.place.get()).toEqual({ path: '/order', query: { no: 'AB 12' } })
    // Nothing was added that would lead back to the visitor's home.
    expect(entries).toEqual(['#/order?no=AB+12'])
    reloaded.goOn()
    expect(reloaded.place.get().path).toBe('/order')
  })

  test('a link cannot lead on to anything but a screen', () => {
    const { history } = fakeHistory('#/index?next=https%3A%2F%2Fevil.example')
    const router = createRouter(history, (path) => path)
    router.goOn()
    expect(router.place.get()).toEqual({ path: '/index', query: {} })
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
