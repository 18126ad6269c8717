import { describe, expect, test } from 'vitest'
import { outcomeOf, reachedByMajority, type Vote } from './vote.ts'

const votes = (...answers: unknown[]): Vote<unknown>[] => answers.map((answer, index) => ({ node: `${index}`, answer }))

describe('an answer counts when more than half of the nodes that count give it', () => {
  test.each<[unknown[], number, unknown]>([
    [['a'], 1, { agreed: 'a' }],
    [['a', 'a'], 2, { agreed: 'a' }],
    [['a', 'b', 'a'], 3, { agreed: 'a' }],
    [['b', 'a', 'a'], 3, { agreed: 'a' }],
    [[{ hash: 1n }, { hash: 1n }], 3, { agreed: { hash: 1n } }],
    [['a', 'a'], 4, 'silent'],
    [['a'], 2, 'silent'],
    [[], 1, 'silent'],
    [['a', 'b'], 2, 'disputed'],
    [['a', 'b'], 3, 'disputed'],
    [['a', 'b', 'c'], 3, 'disputed'],
    [['a', 'a', 'b', 'b'], 4, 'disputed'],
    [[{ hash: 1n }, { hash: 2n }], 2, 'disputed'],
  ])('%o of %i', (answers, counted, outcome) => {
    expect(outcomeOf(votes(...answers), counted)).toEqual(outcome)
  })
})

test('a block is reached by most when more than half of the nodes have it, whatever the others announce', () => {
  expect(reachedByMajority([100n, 9_999n, 101n])).toBe(101n)
  expect(reachedByMajority([100n, 0n, 101n])).toBe(100n)
  expect(reachedByMajority([100n, 101n])).toBe(100n)
  expect(reachedByMajority([100n, 101n, 102n, 103n])).toBe(101n)
  expect(reachedByMajority([null, 101n, 100n])).toBe(100n)
  expect(reachedByMajority([null, 101n])).toBe(null)
})
