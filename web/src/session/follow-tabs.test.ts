import { expect, test, vi } from 'vitest'
import { memoryStorage } from '../lib/storage.ts'
import { followTabs } from './follow-tabs.ts'
import { createSession } from './session.ts'
import { createSignedOutReason } from './signed-out-reason.ts'

const FIRST = `0x${'ab'.repeat(20)}`
const SECOND = `0x${'cd'.repeat(20)}`

/** Tabs of one browser: what one keeps, the others are told of. */
function openTabs(count: number) {
  const memory = new Map<string, string>()
  const pages = Array.from({ length: count }, () => new EventTarget())
  return pages.map((page) => {
    const own = memoryStorage(memory)
    const others = pages.filter((other) => other !== page)
    const storage: typeof own = {
      get: (key) => own.get(key),
      set(key, value) {
        if (own.get(key) === value) return
        own.set(key, value)
        for (const other of others) other.dispatchEvent(Object.assign(new Event('storage'), { key, newValue: value }))
      },
    }
    const session = createSession(storage, () => {})
    const signedOutReason = createSignedOutReason(storage)
    const endSession = vi.fn<(token: string) => void>()
    followTabs(page, {
      storage,
      session,
      signedOutReason,
      endSession: () => endSession(session.get().token),
    })
    return { session, signedOutReason, endSession, storage }
  }) as [Tab, Tab]
}
type Tab = {
  session: ReturnType<typeof createSession>
  signedOutReason: ReturnType<typeof createSignedOutReason>
  endSession: ReturnType<typeof vi.fn<(token: string) => void>>
  storage: ReturnType<typeof memoryStorage>
}

test('a sign-in in one tab is one in all; a sign-out as well, with its reason', () => {
  const [one, two] = openTabs(2)
  one.session.signedIn(FIRST, 'token')
  expect(two.session.get()).toMatchObject({ address: FIRST, token: 'token' })
  one.signedOutReason.set('ended')
  one.session.clear()
  expect(two.session.get()).toMatchObject({ address: '', token: '' })
  expect(two.signedOutReason.get()).toBe('ended')
})

test('another account in another tab ends this session, here and at the server, and says why', () => {
  const [one, two] = openTabs(2)
  one.session.signedIn(FIRST, 'first')
  two.session.clear()
  two.session.signedIn(FIRST, 'first')
  two.session.signedIn(SECOND, 'second')
  expect(one.session.get()).toMatchObject({ address: '', token: '' })
  expect(one.signedOutReason.get()).toBe('otherTab')
  expect(one.endSession.mock.calls).toEqual([['first']])
  // The other one goes on.
  expect(two.session.get()).toMatchObject({ address: SECOND, token: 'second' })
  expect(two.storage.get('token')).toBe('second')
  expect(two.signedOutReason.get()).toBeNull()
})

test('a new token of the same account is taken over', () => {
  const [one, two] = openTabs(2)
  one.session.signedIn(FIRST, 'first')
  two.session.signedIn(FIRST.toUpperCase().replace('0X', '0x'), 'second')
  expect(one.session.get().token).toBe('second')
  expect(one.endSession).not.toHaveBeenCalled()
})

test('a tab that ends its own session later leaves the one that is kept', () => {
  const [one, two] = openTabs(2)
  one.session.signedIn(FIRST, 'first')
  const late = createSession(one.storage, () => {})
  two.session.signedIn(FIRST, 'second')
  late.clear()
  expect(two.storage.get('token')).toBe('second')
})
