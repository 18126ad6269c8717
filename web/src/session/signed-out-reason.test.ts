import { expect, test } from 'vitest'
import { createSignedOutReason, type SignedOutReason } from './signed-out-reason.ts'

const storageOf = (memory: Map<string, string>) => ({
  getItem: (key: string) => memory.get(key) ?? null,
  setItem: (key: string, value: string) => void memory.set(key, value),
  removeItem: (key: string) => void memory.delete(key),
})

const refuse = () => {
  throw new Error('forbidden')
}

test('outlasts a reload, until somebody is signed in', () => {
  const memory = new Map<string, string>()
  for (const reason of ['byHand', 'ended', 'tooMany', null] satisfies (SignedOutReason | null)[]) {
    createSignedOutReason(storageOf(memory)).set(reason)
    expect(createSignedOutReason(storageOf(memory)).get()).toBe(reason)
  }
  expect(memory.size).toBe(0)
})

test('one that an older page kept is by hand', () => {
  expect(createSignedOutReason(storageOf(new Map([['signedOut', '1']]))).get()).toBe('byHand')
})

test('is taken over from another tab', () => {
  const memory = new Map<string, string>()
  const [here, there] = [createSignedOutReason(storageOf(memory)), createSignedOutReason(storageOf(memory))]
  there.set('ended')
  expect(here.get()).toBeNull()
  here.reread()
  expect(here.get()).toBe('ended')
})

test('without a storage lasts as long as the page', () => {
  const signedOutReason = createSignedOutReason({ getItem: refuse, setItem: refuse, removeItem: refuse })
  signedOutReason.set('ended')
  expect(signedOutReason.get()).toBe('ended')
})
