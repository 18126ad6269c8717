import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

type Enter = ReturnType<typeof createFairQueue>

/** Asks for each name in turn, and keeps in which order they begin or are refused. */
function ask(enter: Enter, ...asking: (string | readonly string[])[]) {
  const begun: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  for (const each of asking) {
    const names = [each].flat()
    void enter(names).then((leave) => {
      if (leave === null) return refused.push(names.join())
      ends.push(leave)
      return begun.push(names.join())
    })
  }
  return { begun, refused, endNext: async () => (ends.shift()?.(), await settled()) }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('so many run at the same time, and of one name one', async () => {
  const { begun, endNext } = ask(createFairQueue({ atOnce: 3, maxWaiting: 100 }), 'a', 'a', 'b', 'c', 'd')
  await settled()
  expect(begun).toEqual(['a', 'b', 'c'])
  await endNext()
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  await endNext()
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'a'])
})

test('the first that waits of each name comes before the second of any', async () => {
  const { begun, endNext } = ask(createFairQueue({ atOnce: 1, maxWaiting: 100 }), 'x', 'a', 'a', 'a', 'b', 'b', 'c')
  await settled()
  for (let nth = 0; nth < 6; nth += 1) await endNext()
  expect(begun).toEqual(['x', 'a', 'b', 'c', 'a', 'b', 'a'])
})

test('every name counts: many networks of one account, and many accounts of one network, are one', async () => {
  const enter = createFairQueue({ atOnce: 1, maxWaiting: 100 })
  const { begun, endNext } = ask(enter, ['x', 'y'], ['n1', 'a1'], ['n1', 'a2'], ['n2', 'a1'], ['n3', 'a3'])
  await settled()
  for (let nth = 0; nth < 4; nth += 1) await endNext()
  expect(begun).toEqual(['x,y', 'n1,a1', 'n3,a3', 'n1,a2', 'n2,a1'])
  const other = ask(createFairQueue({ atOnce: 4, maxWaiting: 100 }), ['n1', 'a1'], ['n1', 'a2'], ['n2', 'a1'])
  await settled()
  expect(other.begun).toEqual(['n1,a1'])
})

test('where all places are taken, whoever has most gives way, and nobody is refused for a crowd of one', async () => {
  const enter = createFairQueue({ atOnce: 1, maxWaiting: 3 })
  const crowd = ask(enter, 'a', 'a', 'a', 'a', 'a')
  await settled()
  expect([crowd.begun, crowd.refused]).toEqual([['a'], ['a']])
  const other = ask(enter, 'b', 'c')
  await settled()
  expect([crowd.refused, other.refused]).toEqual([['a', 'a', 'a'], []])
  // No other has more than the one that comes now.
  const last = ask(enter, 'd')
  await settled()
  expect(last.refused).toEqual(['d'])
  await crowd.endNext()
  expect([crowd.begun, other.begun]).toEqual([['a'], ['b']])
})

test('a piece that ends twice gives one place back', async () => {
  const enter = createFairQueue({ atOnce: 1, maxWaiting: 10 })
  const leave = await enter(['a'])
  const { begun } = ask(enter, 'b', 'c')
  leave?.()
  leave?.()
  await settled()
  expect(begun).toEqual(['b'])
})
