import { describe, expect, test, vi } from 'vitest'
import { createSession } from './session.ts'
import { memoryShelf } from '../lib/storage.ts'
import { forbiddenShelf } from '../lib/testing-storage.ts'

function fakeShelf(kept: Record<string, string> = {}) {
  const memory = new Map(Object.entries(kept))
  return { ...memoryShelf(memory), kept: () => Object.fromEntries(memory) }
}

describe('the session', () => {
  test('keeps address and token, and nothing else', () => {
    const shelf = fakeShelf()
    const session = createSession(shelf, () => {})
    session.signedIn('0xabc', 'token')
    session.update({ currentBalance: 5n, currentAuth: 7n, currentChain: 210_000 })
    expect(shelf.kept()).toEqual({ address: '0xabc', token: 'token' })
    expect(createSession(shelf, () => {}).get()).toEqual({
      token: 'token',
      address: '0xabc',
      currentBalance: null,
      currentAuth: null,
      currentChain: null,
    })
  })

  test.each([
    ['clearing', (session: ReturnType<typeof createSession>) => session.clear()],
    ['an empty token', (session: ReturnType<typeof createSession>) => session.setToken('')],
    ['a login without a token', (session: ReturnType<typeof createSession>) => session.signedIn('0xabc', '')],
  ])('%s empties everything and leads home', (_name, end) => {
    const shelf = fakeShelf({ address: '0xabc', token: 'token' })
    const goHome = vi.fn()
    const session = createSession(shelf, goHome)
    session.update({ currentBalance: 5n, currentAuth: 7n, currentChain: 210_000 })
    end(session)
    expect(session.get()).toEqual({
      token: '',
      address: '',
      currentBalance: null,
      currentAuth: null,
      currentChain: 210_000,
    })
    expect(shelf.kept()).toEqual({})
    expect(goHome).toHaveBeenCalledOnce()
  })

  test('an address without a token is nobody', () => {
    expect(createSession(fakeShelf({ address: '0xabc' }), () => {}).get().address).toBe('')
  })

  test('tells its listeners, and works where storage is forbidden', () => {
    const session = createSession(forbiddenShelf, () => {})
    const listener = vi.fn()
    session.subscribe(listener)
    session.signedIn('0xabc', 'token')
    expect(session.get().token).toBe('token')
    expect(listener).toHaveBeenCalledOnce()
  })
})
