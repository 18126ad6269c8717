import { setImmediate as nextLook } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createWorkQueue } from './work-queue.ts'

test('so many run in each turn of the event loop, in the order of arrival', async () => {
  const turn = createWorkQueue({ atOnce: 3, maxWaiting: 100 })
  const done: number[] = []
  const all = Array.from({ length: 20 }, async (_none, nth) => {
    await turn()
    done.push(nth)
  })
  const seen: number[] = []
  for (let look = 0; look < 20; look++) {
    expect(done.length).toBeLessThanOrEqual(3 * look)
    seen.push(done.length)
    await nextLook()
  }
  await Promise.all(all)
  expect(done).toEqual(Array.from({ length: 20 }, (_none, nth) => nth))
  // Fails if only one ran in each turn.
  expect(seen).toContain(18)
})

test('what waits for its turn again stands behind the others', async () => {
  const turn = createWorkQueue({ atOnce: 100, maxWaiting: 100 })
  const done: string[] = []
  const work = async (names: readonly string[]) => {
    for (const name of names) {
      await turn()
      done.push(name)
    }
  }
  await Promise.all([work(['first', 'again']), work(['other'])])
  expect(done).toEqual(['first', 'other', 'again'])
})

test('it goes on after it was empty', async () => {
  const turn = createWorkQueue({ atOnce: 2, maxWaiting: 1 })
  expect([await turn(), await turn(), await turn()]).toEqual([true, true, true])
})

test('more than may wait are refused at once, and there is room again when some have run', async () => {
  const turn = createWorkQueue({ atOnce: 2, maxWaiting: 3 })
  const answers = await Promise.all([turn(), turn(), turn(), turn(), turn()])
  expect(answers).toEqual([true, true, true, false, false])
  expect(await turn()).toBe(true)
})
