import { expect, test } from 'vitest'
import { tryAgain } from './try-again.ts'

/** Fetches a file that does not come the first `failures` times; records every try and pause. */
function fetchAfter(failures: number, { online = true } = {}) {
  const steps: (number | string)[] = []
  const fetchFile = () => {
    steps.push('try')
    const tries = steps.filter((step) => step === 'try').length
    return tries <= failures ? Promise.reject(new Error(`try ${tries}`)) : Promise.resolve('file')
  }
  const pause = (ms: number) => Promise.resolve(steps.push(ms))
  return { steps, result: tryAgain(fetchFile, { isOnline: () => online, pause }) }
}

test.each([
  [0, ['try']],
  [1, ['try', 500, 'try']],
  [2, ['try', 500, 'try', 2_000, 'try']],
])('a file that comes after %i failures is there', async (failures, expected) => {
  const { result, steps } = fetchAfter(failures)
  expect(await result).toBe('file')
  expect(steps).toEqual(expected)
})

test('a file that never comes is asked for three times', async () => {
  const { result, steps } = fetchAfter(Infinity)
  await expect(result).rejects.toThrow('try 3')
  expect(steps).toEqual(['try', 500, 'try', 2_000, 'try'])
})

test('without a connection it is asked for once', async () => {
  const { result, steps } = fetchAfter(1, { online: false })
  await expect(result).rejects.toThrow('try 1')
  expect(steps).toEqual(['try'])
})
