import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followBuilds } from './follow-builds.ts'
import { ACTIVATE } from './messages.ts'
import { newBuild } from './new-build.ts'

/** A page of a browser in which another build waits, with what was done in it. */
function pageWithAnotherBuild() {
  const done: string[] = []
  const waiting = Object.assign(new EventTarget(), {
    state: 'installed',
    postMessage: (message: unknown) => void done.push(String(message)),
  })
  const registration = Object.assign(new EventTarget(), {
    waiting,
    installing: null,
    unregister: () => Promise.resolve(void done.push('unregister')),
  })
  vi.stubGlobal('navigator', { serviceWorker: { controller: {}, register: () => Promise.resolve(registration) } })
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('window', { location: { reload: () => void done.push('reload') } })
  const change = (state: string) => {
    waiting.state = state
    waiting.dispatchEvent(new Event('statechange'))
  }
  return { done, change }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  newBuild.set(null)
})

test('the page reloads when the new worker is active', async () => {
  const { done, change } = pageWithAnotherBuild()
  await followBuilds()
  newBuild.get()?.()
  change('activating')
  expect(done).toEqual([ACTIVATE])
  change('activated')
  expect(done).toEqual([ACTIVATE, 'reload'])
})

test('the page reloads without a registration when the browser keeps the old worker', async () => {
  const { done } = pageWithAnotherBuild()
  await followBuilds()
  newBuild.get()?.()
  await vi.advanceTimersByTimeAsync(4_999)
  expect(done).toEqual([ACTIVATE])
  await vi.advanceTimersByTimeAsync(1)
  expect(done).toEqual([ACTIVATE, 'unregister', 'reload'])
})

test('the page reloads at once when another page has had the old worker replaced', async () => {
  const { done, change } = pageWithAnotherBuild()
  await followBuilds()
  change('activated')
  newBuild.get()?.()
  expect(done).toEqual(['reload'])
})
