import { addressBytes, NODE_BYTES, SALT_BYTES, type Sums, writeSums } from '@candela/protocol/proof/sum-tree'
import { HASH_BYTES } from '../tree/hash-pieces.ts'
import { keccak256 } from '../../../kernel/keccak.ts'
import { KEY_BYTES, keyOf } from './leaf-secrets.ts'

/** Bytes of a leaf until it is in its place: what it is ordered by, then its node. */
export const LEAF_BYTES = KEY_BYTES + NODE_BYTES

const SUMS_AT = 1 + HASH_BYTES + 20
const SALT_AT = SUMS_AT + NODE_BYTES - HASH_BYTES
const FIRST_COUNT = 256

/**
 * Hashes leaves as they come, as `saltOf` and `leafNode` of the protocol do one by one, one behind the other in memory that grows: an
 * object for each would keep the collector of garbage busy.
 * @param context of the day's tree
 */
export function hashLeaves(context: Uint8Array) {
  const salted = new Uint8Array(1 + SALT_BYTES + HASH_BYTES)
  salted[0] = 2
  salted.set(context, 1 + SALT_BYTES)
  const preimage = new Uint8Array(SALT_AT + SALT_BYTES)
  preimage.set(context, 1)
  let bytes = new Uint8Array(FIRST_COUNT * LEAF_BYTES)
  let used = 0
  return {
    add(member: string, owed: Sums, secret: Uint8Array): void {
      if (used === bytes.length) {
        const grown = new Uint8Array(2 * used)
        grown.set(bytes)
        bytes = grown
      }
      salted.set(secret, 1)
      const salt = keccak256(salted)
      preimage.set(addressBytes(member), 1 + HASH_BYTES)
      writeSums(preimage, SUMS_AT, owed)
      preimage.set(salt, SALT_AT)
      bytes.set(keyOf(salt), used)
      bytes.set(keccak256(preimage), used + KEY_BYTES)
      bytes.set(preimage.subarray(SUMS_AT, SALT_AT), used + KEY_BYTES + HASH_BYTES)
      used += LEAF_BYTES
    },
    /** The leaves have `LEAF_BYTES` each, in the order in which they came. */
    leaves: (): Uint8Array<ArrayBuffer> => bytes.slice(0, used),
  }
}
