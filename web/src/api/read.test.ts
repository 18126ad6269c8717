import { expect, test, vi } from 'vitest'
import { replaceTransport, wireApi } from './call.ts'
import { TransportError } from '@candela/client/errors'
import { forgetRefusals, read } from './read.ts'

const notify = vi.fn()
wireApi({ token: () => '', language: () => 'en', sessionEnded: vi.fn(), notify, describe: (problem) => problem })

/** How many toasts there are after each of the given answers. */
async function toastsAfter(name: string, ...answers: (number | 'none')[]): Promise<number[]> {
  notify.mockClear()
  const counts: number[] = []
  for (const code of answers) {
    replaceTransport(() =>
      code === 'none'
        ? Promise.reject(new TransportError('connect', 'down'))
        : Promise.resolve({ code, message: `said ${code}`, data: {} }),
    )
    await read([name], 'GET user/info', {}).catch(() => undefined)
    counts.push(notify.mock.calls.length)
  }
  return counts
}

test('a read that is refused each time says so once', async () => {
  expect(await toastsAfter('a', 5031, 5031, 5031)).toEqual([1, 1, 1])
})

test('another refusal, or the same after an answer, is said again', async () => {
  expect(await toastsAfter('b', 5031, 429, 429, 5031)).toEqual([1, 2, 2, 3])
  expect(await toastsAfter('c', 5031, 200, 5031)).toEqual([1, 1, 2])
})

test('no answer is the screen’s to show, and forgets no refusal', async () => {
  expect(await toastsAfter('d', 'none', 5031, 'none', 5031)).toEqual([0, 1, 1, 1])
})

test('what is refused in one place is news in another', async () => {
  expect(await toastsAfter('e', 5031)).toEqual([1])
  expect(await toastsAfter('f', 5031)).toEqual([1])
})

test('for another account everything is news', async () => {
  expect(await toastsAfter('h', 5031)).toEqual([1])
  forgetRefusals()
  expect(await toastsAfter('h', 5031)).toEqual([1])
})

test('what the caller shows in place stays the caller’s', async () => {
  notify.mockClear()
  replaceTransport(() => Promise.resolve({ code: 5031, message: 'said', data: {} }))
  await read(['g'], 'GET user/info', {}, { handled: [5031] }).catch(() => undefined)
  expect(notify).not.toHaveBeenCalled()
})
