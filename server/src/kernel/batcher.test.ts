import { expect, test } from 'vitest'
import { createBatcher } from './batcher.ts'

const rounds: string[][] = []
let gates: PromiseWithResolvers<void>[] = []

/** Rounds that end when the test says so. */
function held(options: { maxBatch?: number } = {}) {
  rounds.length = 0
  gates = []
  return createBatcher(
    async (items: readonly string[]) => {
      rounds.push([...items])
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      return items.map((item) => `${item}!`)
    },
    { maxBatch: options.maxBatch ?? 100, keyOf: (item) => item },
  )
}

async function release(round: number): Promise<void> {
  gates[round]?.resolve()
  await new Promise((resolve) => setImmediate(resolve))
}

test('the first goes at once, and what came meanwhile goes together', async () => {
  const ask = held()
  const answers = ['a', 'b', 'c'].map((item) => ask(item))
  expect(rounds).toEqual([['a']])
  await release(0)
  expect(rounds).toEqual([['a'], ['b', 'c']])
  await release(1)
  expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!'])
  const later = ask('d')
  expect(rounds.at(-1)).toEqual(['d'])
  await release(2)
  expect(await later).toBe('d!')
})

test('a round has its maxBatch, and no two of the same key', async () => {
  const ask = held({ maxBatch: 2 })
  const answers = ['a', 'b', 'b', 'c', 'd'].map((item) => ask(item))
  for (const round of [0, 1, 2]) await release(round)
  expect(rounds).toEqual([['a'], ['b', 'c'], ['b', 'd']])
  expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'b!', 'c!', 'd!'])
})

test('without keys, equal things go together', async () => {
  const sizes: number[] = []
  const ask = createBatcher(
    async (items: readonly string[]) => {
      sizes.push(items.length)
      await Promise.resolve()
      return items
    },
    { maxBatch: 100 },
  )
  expect(await Promise.all(['a', 'a', 'a'].map((item) => ask(item)))).toEqual(['a', 'a', 'a'])
  expect(sizes).toEqual([1, 2])
})

test('a round that fails fails its own, and the next goes on', async () => {
  const ask = held()
  const first = ask('a')
  const second = ask('b')
  gates[0]?.reject(new Error('no'))
  await expect(first).rejects.toThrow('no')
  await release(1)
  expect(await second).toBe('b!')
})
