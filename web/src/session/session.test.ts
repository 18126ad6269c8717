import { describe, expect, test, vi } from 'vitest'
import { createSession } from './session.ts'
import { memoryStorage } from '../lib/storage.ts'
import { forbiddenStorage } from '../lib/testing-storage.ts'

function fakeStorage(kept: Record<string, string> = {}) {
  const memory = new Map(Object.entries(kept))
  return { ...memoryStorage(memory), kept: () => Object.fromEntries(memory) }
}

describe('the session', () => {
  test('keeps address and token, and nothing else', () => {
    const storage = fakeStorage()
    const session = createSession(storage, () => {})
    session.signedIn('0xabc', 'token')
    session.update({ currentBalance: 5n, currentAuth: 7n, currentChain: 210_000 })
    expect(storage.kept()).toEqual({ address: '0xabc', token: 'token' })
    expect(createSession(storage, () => {}).get()).toEqual({
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
    const storage = fakeStorage({ address: '0xabc', token: 'token' })
    const goHome = vi.fn()
    const session = createSession(storage, goHome)
    session.update({ currentBalance: 5n, currentAuth: 7n, currentChain: 210_000 })
    end(session)
    expect(session.get()).toEqual({
      token: '',
      address: '',
      currentBalance: null,
      currentAuth: null,
      currentChain: 210_000,
    })
    expect(storage.kept()).toEqual({})
    expect(goHome).toHaveBeenCalledOnce()
  })

  test('an address without a token is nobody', () => {
    expect(createSession(fakeStorage({ address: '0xabc' }), () => {}).get().address).toBe('')
  })

  test('tells its listeners, and works where storage is forbidden', () => {
    const session = createSession(forbiddenStorage(), () => {})
    const listener = vi.fn()
    session.subscribe(listener)
    session.signedIn('0xabc', 'token')
    expect(session.get().token).toBe('token')
    expect(listener).toHaveBeenCalledOnce()
  })
})
