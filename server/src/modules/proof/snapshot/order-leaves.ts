import { addressBytes, noSums, paddedCount, saltOf, type Sums, writeSums } from '@candela/protocol/proof/sum-tree'
import type { KeyObject } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { must } from '../../../kernel/assert.ts'
import { ADDRESS_BYTES, ENTRY_BYTES, SUMS_BYTES } from '../tree/hash-pieces.ts'
import { KEY_BYTES, keyOf, paddingSecret } from './leaf-secrets.ts'

const NOBODY = `0x${'0'.repeat(40)}`
const BUCKETS = 4_096
/** Leaves that are made or put in order before other work gets its turn. */
const TURN = 500

const SALT_AT = ADDRESS_BYTES + SUMS_BYTES

/** Entries one behind the other in memory that grows: an object for each would keep the collector of garbage busy. */
type Bucket = { bytes: Buffer; count: number }

/** All leaves of a snapshot in their order: what is hashed of each, and what they are ordered by. */
export type OrderedLeaves = { entries: Uint8Array; keys: Uint8Array; count: number }

/**
 * Collects the leaves of a snapshot and puts them into the order of their salts, with padding that cannot be told from
 * a member who is owed nothing. Other work gets its turn meanwhile.
 * @param context of the day's tree
 * @param seed random, for the padding
 */
export function collectLeaves(context: Uint8Array, seed: KeyObject) {
  const buckets: Bucket[] = Array.from({ length: BUCKETS }, () => ({ bytes: Buffer.alloc(0), count: 0 }))
  let members = 0
  const place = (member: string, owed: Sums, secret: Uint8Array): void => {
    const salt = Buffer.from(saltOf(secret, context))
    // The first twelve bits.
    const bucket = must(buckets[salt.readUInt16BE(0) >> 4], 'twelve bits')
    const start = bucket.count * ENTRY_BYTES
    if (start === bucket.bytes.length) {
      const grown = Buffer.alloc(Math.max(4 * ENTRY_BYTES, 2 * start))
      grown.set(bucket.bytes)
      bucket.bytes = grown
    }
    bucket.bytes.set(addressBytes(member), start)
    writeSums(bucket.bytes, start + ADDRESS_BYTES, owed)
    bucket.bytes.set(salt, start + SALT_AT)
    bucket.count += 1
  }
  return {
    add(member: string, owed: Sums, secret: Uint8Array): void {
      place(member, owed, secret)
      members += 1
    },
    async order(): Promise<OrderedLeaves> {
      const count = paddedCount(members)
      for (let nth = members; nth < count; nth += 1) {
        if (nth % TURN === 0) await nextTurn()
        place(NOBODY, noSums, paddingSecret(seed, nth))
      }
      const entries = new Uint8Array(count * ENTRY_BYTES)
      const keys = new Uint8Array(count * KEY_BYTES)
      let position = 0
      let turnAt = 0
      for (const bucket of buckets) {
        if (position >= turnAt) {
          turnAt = position + TURN
          await nextTurn()
        }
        for (const start of inOrder(bucket)) {
          const entry = bucket.bytes.subarray(start, start + ENTRY_BYTES)
          entries.set(entry, position * ENTRY_BYTES)
          keys.set(keyOf(entry.subarray(SALT_AT)), position * KEY_BYTES)
          position += 1
        }
      }
      return { entries, keys, count }
    },
  }
}

/** Where the entries of a bucket begin, in the order of their salts. */
const inOrder = ({ bytes, count }: Bucket): number[] =>
  Array.from({ length: count }, (_, nth) => nth * ENTRY_BYTES).toSorted((one, other) =>
    bytes.compare(bytes, other + SALT_AT, other + ENTRY_BYTES, one + SALT_AT, one + ENTRY_BYTES),
  )
