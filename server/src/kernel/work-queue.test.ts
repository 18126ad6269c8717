import { setImmediate as nextLook } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createWorkQueue } from './work-queue.ts'

test('one runs in each turn of the event loop, in the order of arrival', async () => {
  const turn = createWorkQueue(100)
  const done: number[] = []
  const all = Array.from({ length: 20 }, async (_none, nth) => {
    await turn()
    done.push(nth)
  })
  for (let look = 0; look < 20; look++) {
    expect(done.length).toBeLessThanOrEqual(look)
    await nextLook()
  }
  await Promise.all(all)
  expect(done).toEqual(Array.from({ length: 20 }, (_none, nth) => nth))
})

test('it goes on after it was empty', async () => {
  const turn = createWorkQueue(1)
  expect([await turn(), await turn(), await turn()]).toEqual([true, true, true])
})

test('more than may wait are refused at once, and there is room again when some have run', async () => {
  const turn = createWorkQueue(3)
  const answers = await Promise.all([turn(), turn(), turn(), turn(), turn()])
  expect(answers).toEqual([true, true, true, false, false])
  expect(await turn()).toBe(true)
})
