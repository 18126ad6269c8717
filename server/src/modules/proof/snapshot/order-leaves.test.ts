import {
  contextHash,
  leafNode,
  NODE_BYTES,
  noSums,
  paddedCount,
  readNode,
  saltOf,
  toHex,
} from '@candela/protocol/proof/sum-tree'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashLeaves, LEAF_BYTES } from './hash-leaves.ts'
import { KEY_BYTES, memberSecret, paddingSecret, seedKey } from './leaf-secrets.ts'
import { orderLeaves } from './order-leaves.ts'

const context = contextHash({ chainId: 1, gateway: `0x${'aa'.repeat(20)}`, day: '2026-11-22' })
const [master, seed] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
const member = (id: number) => `0x${id.toString(16).padStart(40, '0')}`
const compareBytes = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other)

const split = (bytes: Uint8Array, width: number): Uint8Array[] =>
  Array.from({ length: bytes.length / width }, (_, nth) => bytes.slice(nth * width, (nth + 1) * width))

test('leaves have the salts, hashes and sums of the protocol, are in the order of their salts, and are filled up with padding', () => {
  for (const count of [0, 1, 3, 300, 512]) {
    const hashed = hashLeaves(context)
    const expected: { salt: Uint8Array; hash: string; sums: readonly bigint[] }[] = []
    for (let id = 1; id <= paddedCount(count); id += 1) {
      const isMember = id <= count
      const owed = isMember ? ([BigInt(id), 0n, 10n ** 20n + BigInt(id)] as const) : noSums
      const secret = isMember ? memberSecret(seedKey(master), BigInt(id)) : paddingSecret(seedKey(seed), id - 1)
      const salt = saltOf(secret, context)
      const { hash, sums } = leafNode(context, { member: isMember ? member(id) : member(0), owed, salt })
      expected.push({ salt, hash: toHex(hash), sums })
      if (isMember) hashed.add(member(id), owed, secret)
    }
    expected.sort((one, other) => compareBytes(one.salt, other.salt))
    const ordered = orderLeaves({ leaves: [hashed.leaves()], context, seed })
    expect(ordered.count).toBe(paddedCount(count))
    const nodes = split(ordered.nodes, NODE_BYTES).map((bytes) => readNode(bytes, 0))
    expect(nodes.map(({ hash, sums }) => [toHex(hash), sums])).toEqual(expected.map(({ hash, sums }) => [hash, sums]))
    expect(split(ordered.keys, KEY_BYTES).map(toHex)).toEqual(
      expected.map(({ salt }) => toHex(salt.subarray(0, KEY_BYTES))),
    )
  }
})

test('keys that begin alike are in order too, and each keeps its node', () => {
  const anyKey = fc
    .tuple(fc.nat(2), fc.uint8Array({ minLength: KEY_BYTES, maxLength: KEY_BYTES }))
    .map(([first, key]) => Uint8Array.from(key, (byte, place) => (place < 4 ? 200 * first : byte % 4)))
  fc.assert(
    fc.property(fc.array(anyKey, { minLength: 64, maxLength: 64 }), fc.nat(64), (keys, cut) => {
      const leaves = keys.map((key, nth) => Buffer.concat([key, Buffer.alloc(NODE_BYTES, nth)]))
      const task = { leaves: [Buffer.concat(leaves.slice(0, cut)), Buffer.concat(leaves.slice(cut))], context, seed }
      const ordered = orderLeaves(task)
      const found = split(ordered.keys, KEY_BYTES).map((key, place) =>
        Buffer.concat([key, ordered.nodes.subarray(place * NODE_BYTES, (place + 1) * NODE_BYTES)]),
      )
      const keysFound = found.map((leaf) => leaf.subarray(0, KEY_BYTES))
      expect(keysFound).toEqual(keysFound.toSorted(compareBytes))
      expect(found.toSorted(compareBytes)).toEqual(leaves.toSorted(compareBytes))
      expect(found.every((leaf) => leaf.length === LEAF_BYTES)).toBe(true)
    }),
  )
})
