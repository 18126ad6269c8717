import { type SecretLeaf, secretProofOf, testContext, treePartsOf } from '@candela/protocol/proof/testing'
import type { TreePart } from '@candela/protocol/proof/tree-file'
import { expect, test } from 'vitest'
import { proofByTree } from './proof-by-tree.ts'

const later = { ...testContext, day: '2026-11-24' }
const leaves: SecretLeaf[] = Array.from({ length: 8 }, (_, index) => ({
  member: `0x${String(index + 1).repeat(40)}`,
  owed: [BigInt(index), 0n, 9n],
  secret: new Uint8Array(32).fill(index + 1),
}))
const saved = secretProofOf(leaves.slice(0, 4), 3)
const expected = secretProofOf(leaves, 3, later)
const last = { day: later.day, root: expected.root.hash }
const parts = treePartsOf(leaves, 2, later)

const fileOf = (content: unknown, name = 'part.json') => ({
  name,
  text: () => Promise.resolve(JSON.stringify(content)),
})
const made = async (contents: readonly unknown[], tell: (done: number) => void = () => undefined) =>
  proofByTree(
    saved,
    contents.map((content) => fileOf(content)),
    last,
    tell,
  )

test('an older proof and the parts of the attested tree, with others beside them, give the proof of that tree', async () => {
  const done: number[] = []
  expect(await made([treePartsOf(leaves, 8)[0], ...parts], (fraction) => void done.push(fraction))).toEqual(expected)
  expect(done).toEqual(done.toSorted((one, other) => one - other))
  expect(done.every((fraction) => fraction >= 0 && fraction <= 1)).toBe(true)
  const lines = { name: 'tree.jsonl', text: async () => parts.map((part) => JSON.stringify(part)).join('\n') }
  expect(await proofByTree(saved, [lines], last, () => undefined)).toEqual(expected)
})

test('what is missing, altered, of another tree or no tree at all is said', async () => {
  expect(await made(parts.slice(1))).toEqual({ what: 'missing', have: 3, parts: 4 })
  expect(await made([])).toEqual({ what: 'missing', have: 0, parts: null })
  expect(await made([...parts, saved])).toEqual({ what: 'notATree', name: 'part.json' })
  expect(await made([...parts, { ...parts[0], parts: 8 }])).toEqual({ what: 'notATree', name: 'part.json' })
  const altered = structuredClone(parts) as [TreePart, ...TreePart[]]
  altered[0].items[0]!.sums = ['1', '0', '9']
  expect(await made(altered)).toEqual({ what: 'otherRoot' })
  altered[0].items[0]!.sums = [String(2n ** 128n - 1n), '0', '9']
  expect(await made(altered)).toEqual({ what: 'otherRoot' })
  const foreign = { ...saved, secret: `0x${'77'.repeat(32)}` }
  const files = parts.map((part) => fileOf(part))
  expect(await proofByTree(foreign, files, last, () => undefined)).toEqual({ what: 'noLeaf' })
})
