import { type SecretLeaf, secretProofOf, testContext, treePartsOf } from '@candela/protocol/proof/testing'
import type { TreePart } from '@candela/protocol/proof/tree-file'
import { expect, test } from 'vitest'
import { MAX_PART_BYTES, proofByTree } from './proof-by-tree.ts'

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

const fileOf = (content: unknown, name = 'part.json') => new File([JSON.stringify(content)], name)
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
  const lines = new File([parts.map((part) => JSON.stringify(part)).join('\n')], 'tree.jsonl')
  expect(await proofByTree(saved, [lines], last, () => undefined)).toEqual(expected)
})

test('a large file is read a piece at a time, and one that is no tree is given up before all of it was read', async () => {
  // Each part on a line that ends somewhere in a piece; blanks between them are allowed.
  const padding = `${' '.repeat(700_000)}\n`
  const large = new File([parts.map((part) => `${JSON.stringify(part)}\n${padding}`).join('')], 'tree.jsonl')
  expect(large.size).toBeGreaterThan(2 * MAX_PART_BYTES)
  expect(await proofByTree(saved, [large], last, () => undefined)).toEqual(expected)
  let read = 0
  const endless = {
    name: 'endless.json',
    size: 100 * MAX_PART_BYTES,
    slice(from = 0, to = 0) {
      read = Math.max(read, to)
      return new Blob(['x'.repeat(to - from)])
    },
  }
  expect(await proofByTree(saved, [endless], last, () => undefined)).toEqual({ what: 'notATree', name: 'endless.json' })
  expect(read).toBeLessThan(4 * MAX_PART_BYTES)
  read = 0
  const whole = { ...endless, name: 'huge.json', size: 2 ** 33 }
  expect(await proofByTree(saved, [whole], last, () => undefined)).toEqual({ what: 'notATree', name: 'huge.json' })
  expect(read).toBe(0)
})

test('what is missing, altered, of another tree or no tree at all is said', async () => {
  expect(await made(parts.slice(1))).toEqual({ what: 'missing', have: 3, parts: 4 })
  expect(await made([])).toEqual({ what: 'missing', have: 0, parts: null })
  const empty = new File([], 'empty.json')
  expect(await proofByTree(saved, [empty], last, () => undefined)).toEqual({ what: 'notATree', name: 'empty.json' })
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
