import { addressBytes, noSums, paddedCount, type Sums, writeSums } from '@candela/protocol/proof/sum-tree'
import type { KeyObject } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { must } from '../../../kernel/assert.ts'
import { ADDRESS_BYTES, ENTRY_BYTES, SUMS_BYTES } from '../tree/hash-pieces.ts'
import { KEY_BYTES, keyOf, paddingSalt } from './leaf-secrets.ts'

const NOBODY = `0x${'0'.repeat(40)}`
const BUCKETS = 4_096

type Bucketed = { salt: Buffer; entry: Uint8Array }

/** All leaves of a snapshot in their order: what is hashed of each, and what they are ordered by. */
export type OrderedLeaves = { entries: Uint8Array; keys: Uint8Array; count: number }

/**
 * Collects the leaves of a snapshot and puts them into the order of their salts, with padding that cannot be told from
 * a member who is owed nothing. Other work gets its turn meanwhile.
 */
export function collectLeaves(seed: KeyObject) {
  const buckets: Bucketed[][] = Array.from({ length: BUCKETS }, () => [])
  let members = 0
  const place = (member: string, owed: Sums, salt: Buffer): void => {
    const entry = new Uint8Array(ENTRY_BYTES)
    entry.set(addressBytes(member), 0)
    writeSums(entry, ADDRESS_BYTES, owed)
    entry.set(salt, ADDRESS_BYTES + SUMS_BYTES)
    // The first twelve bits.
    must(buckets[salt.readUInt16BE(0) >> 4], 'twelve bits').push({ salt, entry })
  }
  return {
    add(member: string, owed: Sums, salt: Buffer): void {
      place(member, owed, salt)
      members += 1
    },
    async order(): Promise<OrderedLeaves> {
      const count = paddedCount(members)
      for (let nth = members; nth < count; nth += 1) place(NOBODY, noSums, paddingSalt(seed, nth))
      const entries = new Uint8Array(count * ENTRY_BYTES)
      const keys = new Uint8Array(count * KEY_BYTES)
      let position = 0
      for (const [nth, bucket] of buckets.entries()) {
        if (nth % 64 === 0) await nextTurn()
        for (const { salt, entry } of bucket.toSorted((one, other) => Buffer.compare(one.salt, other.salt))) {
          entries.set(entry, position * ENTRY_BYTES)
          keys.set(keyOf(salt), position * KEY_BYTES)
          position += 1
        }
      }
      return { entries, keys, count }
    },
  }
}
