import { proofOf } from '@candela/protocol/proof/testing'
import { expect, test } from 'vitest'
import { heldResult, pathResult, rootResult, statementResult, sumsResult } from './check-proof.ts'
import { parseProof, proofFileName } from './open-file.ts'

const member = `0x${'ab'.repeat(20)}`
const salt = new Uint8Array(32).fill(7)
const leaves = [
  { member, owed: [5n, 0n, 2n] as const, salt },
  { member: `0x${'00'.repeat(20)}`, owed: [0n, 0n, 0n] as const, salt },
]
const proof = proofOf(leaves, 0)
const attested = { root: proof.root.hash, sums: [5n, 0n, 2n], leaves: 2n, block: 1n }

test('what was attested is what the proof leads to', () => {
  expect([pathResult(proof), rootResult(proof, attested), sumsResult(proof, attested)]).toEqual([
    'good',
    'good',
    'good',
  ])
  expect(rootResult(proof, null)).toBe('bad')
  expect(rootResult(proof, { ...attested, leaves: 4n })).toBe('bad')
  expect(sumsResult(proof, { ...attested, sums: [4n, 0n, 2n] })).toBe('bad')
  expect(pathResult({ ...proof, leaf: { ...proof.leaf, owed: ['6', '0', '2'] } })).toBe('bad')
})

test('the contract holds what is owed', () => {
  expect(heldResult(proof, [5n, 0n, 2n])).toBe('good')
  expect(heldResult(proof, [5n, 0n, 1n])).toBe('bad')
})

const line = (asset: string, balance: bigint, at_s: number) => ({ asset, account: 'available', balance, at_s })

test('the leaf is what the statement says at that time, or it is said why nobody can tell', () => {
  const at = { block_s: 10_000, hasMore: false, hasCredit: false }
  const lines = [line('USDT', 9n, 20_000), line('USDT', 5n, 5_000), line('JU', 2n, 4_000)]
  expect(statementResult(proof, lines, at)).toEqual({ result: 'good', balances: [5n, 0n, 2n] })
  const other = [line('USDT', 4n, 5_000), line('JU', 2n, 4_000)]
  expect(statementResult(proof, other, at).result).toBe('bad')
  expect(statementResult(proof, [line('USDT', 3n, 10_100), ...other], at).result).toBe('unknown')
  expect(statementResult(proof, other, { ...at, hasMore: true }).result).toBe('unknown')
  expect(statementResult(proof, other, { ...at, hasCredit: true }).result).toBe('unknown')
})

test('a saved proof is opened again, and nothing else is one', () => {
  expect(parseProof(JSON.stringify(proof))).toEqual(proof)
  expect(parseProof('{}')).toBeNull()
  expect(parseProof('no JSON')).toBeNull()
  expect(proofFileName(proof)).toBe('candela-proof-2026-11-22-ababab.json')
})
