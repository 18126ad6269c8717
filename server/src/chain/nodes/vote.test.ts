import { describe, expect, test } from 'vitest'
import { outcomeOf, type Vote } from './vote.ts'

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
