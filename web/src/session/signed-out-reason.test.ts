import { expect, test } from 'vitest'
import { memoryStorage } from '../lib/storage.ts'
import { forbiddenStorage } from '../lib/testing-storage.ts'
import { createSignedOutReason, type SignedOutReason } from './signed-out-reason.ts'

test('outlasts a reload, until somebody is signed in', () => {
  const memory = new Map<string, string>()
  for (const reason of ['byHand', 'ended', 'tooMany', 'otherAccount', null] satisfies (SignedOutReason | null)[]) {
    createSignedOutReason(memoryStorage(memory)).set(reason)
    expect(createSignedOutReason(memoryStorage(memory)).get()).toBe(reason)
  }
  expect(memory.size).toBe(0)
})

test('one that an older page kept is by hand', () => {
  expect(createSignedOutReason(memoryStorage(new Map([['signedOut', '1']]))).get()).toBe('byHand')
})

test('is taken over from another tab', () => {
  const memory = new Map<string, string>()
  const [here, there] = [createSignedOutReason(memoryStorage(memory)), createSignedOutReason(memoryStorage(memory))]
  there.set('ended')
  expect(here.get()).toBeNull()
  here.reread()
  expect(here.get()).toBe('ended')
})

test('what is so in one tab alone is not kept', () => {
  const memory = new Map<string, string>()
  const signedOutReason = createSignedOutReason(memoryStorage(memory))
  signedOutReason.setHere('otherTab')
  expect(signedOutReason.get()).toBe('otherTab')
  expect(memory.size).toBe(0)
})

test('without storage lasts as long as the page', () => {
  const signedOutReason = createSignedOutReason(forbiddenStorage())
  signedOutReason.set('ended')
  expect(signedOutReason.get()).toBe('ended')
})
