import { expect, test } from 'vitest'
import { memberAccount, platformAccount } from './chart.ts'
import { assertSound, type Leg, type Posting } from './post.ts'

const available = memberAccount(1n, 'memberAvailable', 'USDT')
const leg: Leg = { debit: platformAccount('custody', 'USDT'), credit: available, amount: 1n }
const sound: Pick<Posting, 'id' | 'kind' | 'legs'> = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  kind: 'withdrawal-hold',
  legs: [leg],
}

test('a posting of one base unit between two accounts of one asset is sound', () => {
  expect(() => assertSound(sound)).not.toThrow()
})

test.each<[string, Partial<typeof sound>, string]>([
  ['an id in capitals', { id: sound.id.toUpperCase() }, 'not a lower-case UUID'],
  ['an id with something behind it', { id: `${sound.id}0` }, 'not a lower-case UUID'],
  ['a kind in capitals', { kind: 'Deposit' as Posting['kind'] }, 'not a word in lower case'],
  ['no legs', { legs: [] }, 'no legs'],
  ['an amount of zero in the second leg', { legs: [leg, { ...leg, amount: 0n }] }, 'an amount of 0'],
  ['an amount below zero', { legs: [{ ...leg, amount: -1n }] }, 'an amount of -1'],
  ['a leg to itself', { legs: [{ ...leg, debit: available }] }, 'to itself'],
  ['a leg across assets', { legs: [{ ...leg, debit: platformAccount('custody', 'JU') }] }, 'differ in asset'],
  ['an asset that nobody knows', { legs: [{ ...leg, debit: 70_009n, credit: 110_009n }] }, 'no known asset'],
])('%s is not', (_name, change, problem) => {
  expect(() => assertSound({ ...sound, ...change })).toThrow(problem)
})
