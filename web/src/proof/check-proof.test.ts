import { proofOf } from '@candela/protocol/proof/testing'
import { owedByParts, type OwedParts } from '@candela/protocol/proof/owed-parts'
import { proofFileName } from '@candela/protocol/proof/proof-file'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { expect, test } from 'vitest'
import {
  heldResult,
  isPlatformLeaf,
  owedResult,
  pathResult,
  rootResult,
  smallResult,
  statementAccounts,
  statementResult,
  sumsResult,
} from './check-proof.ts'
import { parseProof, readProofFile } from './open-file.ts'
import { owedLines } from './owed-lines.ts'

const member = `0x${'ab'.repeat(20)}`
const salt = new Uint8Array(32).fill(7)
const leaves = [
  { member, owed: [5n, 0n, 2n] as const, salt },
  { member: `0x${'00'.repeat(20)}`, owed: [0n, 0n, 0n] as const, salt },
]
const proof = proofOf(leaves, 0)
const attested = {
  root: proof.root.hash,
  sums: [5n, 0n, 2n],
  leaves: 2n,
  block: 1n,
  ledgerSequence: 1n,
  minedIn: '0x2' as const,
}
const none = { USDT: '0', HASH: '0', JU: '0' }
const parts: OwedParts = {
  day: proof.day,
  ledgerSequence: proof.ledgerSequence,
  available: { ...none, USDT: '3', JU: '2' },
  held: { ...none, USDT: '2' },
  shares: '0',
  fund: { assets: '0', shares: '0' },
  prices: { JU: null, HASH: null },
  collateral: { JU: '0', HASH: '0' },
  debt: '0',
  paidLater: none,
}

test('what was attested is what the proof leads to', () => {
  expect([pathResult(proof), rootResult(proof, attested), sumsResult(proof, attested)]).toEqual([
    'good',
    'good',
    'good',
  ])
  expect(rootResult(proof, null)).toBe('bad')
  expect(rootResult(proof, { ...attested, root: `0x${'11'.repeat(32)}` })).toBe('bad')
  expect(rootResult(proof, { ...attested, leaves: 4n })).toBe('bad')
  expect(rootResult(proof, { ...attested, block: 2n })).toBe('bad')
  expect(rootResult(proof, { ...attested, ledgerSequence: 2n })).toBe('bad')
  expect(sumsResult(proof, { ...attested, sums: [4n, 0n, 2n] })).toBe('bad')
  expect(pathResult({ ...proof, leaf: { ...proof.leaf, owed: ['6', '0', '2'] } })).toBe('bad')
})

test('the contract held what is owed; what it holds now may be less without anything being wrong', () => {
  expect(heldResult(proof, { amounts: [5n, 0n, 2n], isNow: false })).toBe('good')
  expect(heldResult(proof, { amounts: [5n, 0n, 1n], isNow: false })).toBe('bad')
  expect(heldResult(proof, { amounts: [5n, 0n, 2n], isNow: true })).toBe('good')
  expect(heldResult(proof, { amounts: [5n, 0n, 1n], isNow: true })).toBe('unknown')
})

test('the leaf follows from its parts, of that day and sequence, to the base unit', () => {
  expect(owedResult(proof, parts)).toBe('good')
  expect(owedResult(proof, null)).toBe('bad')
  expect(owedResult(proof, { ...parts, held: { ...none, USDT: '1' } })).toBe('bad')
  expect(owedResult(proof, { ...parts, paidLater: { ...none, HASH: '1' } })).toBe('bad')
  expect(owedResult(proof, { ...parts, day: '2026-11-21' })).toBe('bad')
  expect(owedResult(proof, { ...parts, ledgerSequence: '2' })).toBe('bad')
})

test('who has no leaf is owed less than a step of every asset by its own parts', () => {
  const small = { ...parts, available: { ...none, USDT: '9999999999999999' }, held: none, shares: '0', paidLater: none }
  expect(smallResult(proof, small)).toBe('good')
  expect(smallResult(proof, null)).toBe('bad')
  expect(smallResult(proof, { ...small, held: { ...none, USDT: '1' } })).toBe('bad')
  expect(smallResult(proof, { ...small, held: { ...none, JU: '2000000000000000' } })).toBe('bad')
  expect(smallResult(proof, { ...small, day: '2026-11-21' })).toBe('bad')
  expect(smallResult(proof, { ...small, ledgerSequence: '2' })).toBe('bad')
  expect([proof, { ...proof, leaf: { ...proof.leaf, member: proof.gateway } }].map(isPlatformLeaf)).toEqual([
    false,
    true,
  ])
})

test('each balance is that of the statement', () => {
  const balances = statementAccounts.map((account) => ({
    ...account,
    balance: BigInt(parts[account.account][account.asset]),
  }))
  expect(balances).toHaveLength(6)
  expect(statementResult(parts, balances)).toBe('good')
  for (const wrong of balances) {
    const changed = balances.map((one) => (one === wrong ? { ...one, balance: one.balance + 1n } : one))
    expect(statementResult(parts, changed)).toBe('bad')
  }
})

const whole = (amount: number) => String(BigInt(amount) * WHOLE_UNIT)

test('the lines that are shown add up to the leaf, with fund shares, collateral and a debt that eats into both', () => {
  const borrower: OwedParts = {
    ...parts,
    shares: whole(20),
    fund: { assets: whole(150), shares: whole(100) },
    prices: { JU: whole(2), HASH: whole(1) },
    collateral: { JU: whole(30), HASH: whole(5) },
    debt: whole(70),
    paidLater: { ...none, HASH: '9' },
  }
  const lines = owedLines(borrower)
  const sums = proofAssets.map((asset) => lines[asset].reduce((sum, { amount }) => sum + amount, 0n))
  expect(sums).toEqual(owedByParts(borrower))
  expect(lines.JU.map(({ what }) => what)).toEqual(['available', 'collateral', 'debt'])
  expect(owedLines(parts).HASH).toEqual([])
  // In kind, shares have lines in each asset; a debt that takes them all leaves none.
  const pool = { USDT: whole(50), HASH: '0', JU: whole(10), shares: whole(90) }
  for (const [debt, juLines] of [
    [10, ['available', 'shares', 'collateral']],
    [200, ['available', 'collateral', 'debt']],
  ] as const) {
    const inKind = { ...borrower, pool, debt: whole(debt) }
    const own = owedLines(inKind)
    expect(proofAssets.map((asset) => own[asset].reduce((sum, { amount }) => sum + amount, 0n))).toEqual(
      owedByParts(inKind),
    )
    expect(own.JU.map(({ what }) => what)).toEqual(juLines)
  }
})

test('a saved proof is opened again, and nothing else is one', () => {
  expect(parseProof(JSON.stringify(proof))).toEqual(proof)
  expect(parseProof(JSON.stringify({ ...proof, parts }))).toEqual({ ...proof, parts })
  expect(parseProof('{}')).toBeNull()
  expect(parseProof('no JSON')).toBeNull()
  expect(proofFileName(proof)).toBe('candela-proof-2026-11-22-ababab.json')
})

test('what is larger than any proof is not read', async () => {
  const text = JSON.stringify(proof)
  const large = text + ' '.repeat(256 * 1024)
  expect(await readProofFile(new File([text], 'proof.json'))).toBe(text)
  expect(await readProofFile(new File([large], 'proof.json'))).toBeNull()
  expect(parseProof(large)).toBeNull()
})
