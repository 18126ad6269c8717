import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyMutation } from '../../../tests/mutants/mutation.ts'
import { knownAttacks } from '../adversary/known-attacks.ts'
import { crowdMutations } from '../crowd/crowd-mutations.ts'
import { mutations } from './mutations.ts'

const root = join(import.meta.dirname, '..', '..', '..')

test('every mutation can be applied to the source as it is', async () => {
  expect(mutations.length).toBeGreaterThanOrEqual(30)
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length)
  for (const mutation of mutations) await applyMutation(mutation, (file) => readFile(join(root, file), 'utf8'))
})

test('what stops each of the ten known attacks can be taken out of the source as it is', async () => {
  expect(new Set(knownAttacks.map(({ name }) => name)).size).toBe(10)
  for (const attack of knownAttacks) await applyMutation(attack, (file) => readFile(join(root, file), 'utf8'))
})

test('what stops a crowd can be taken out of the source as it is', async () => {
  expect(new Set(crowdMutations.map(({ name }) => name)).size).toBe(7)
  for (const mutation of crowdMutations) await applyMutation(mutation, (file) => readFile(join(root, file), 'utf8'))
})
