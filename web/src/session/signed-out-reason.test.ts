import { expect, test } from 'vitest'
import { createFarewell, type Farewell } from './signed-out-reason.ts'

const shelfOf = (memory: Map<string, string>) => ({
  getItem: (key: string) => memory.get(key) ?? null,
  setItem: (key: string, value: string) => void memory.set(key, value),
  removeItem: (key: string) => void memory.delete(key),
})

const refuse = () => {
  throw new Error('forbidden')
}

test('outlasts a reload, until somebody is signed in', () => {
  const memory = new Map<string, string>()
  for (const reason of ['byHand', 'ended', 'tooMany', null] satisfies (Farewell | null)[]) {
    createFarewell(shelfOf(memory)).set(reason)
    expect(createFarewell(shelfOf(memory)).get()).toBe(reason)
  }
  expect(memory.size).toBe(0)
})

test('one that an older page kept is by hand', () => {
  expect(createFarewell(shelfOf(new Map([['signedOut', '1']]))).get()).toBe('byHand')
})

test('is taken over from another tab', () => {
  const memory = new Map<string, string>()
  const [here, there] = [createFarewell(shelfOf(memory)), createFarewell(shelfOf(memory))]
  there.set('ended')
  expect(here.get()).toBeNull()
  here.reread()
  expect(here.get()).toBe('ended')
})

test('without a shelf lasts as long as the page', () => {
  const farewell = createFarewell({ getItem: refuse, setItem: refuse, removeItem: refuse })
  farewell.set('ended')
  expect(farewell.get()).toBe('ended')
})
