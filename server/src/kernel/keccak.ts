import { createKeccak } from 'hash-wasm'

const hasher = await createKeccak(256)

/**
 * Keccak-256 for what hashes much: trees of a million leaves, a signature for each transfer and login. It takes a seventh of the time
 * of the library that viem and `protocol/proof/sum-tree.ts` use, which is for what is hashed once.
 */
export function keccak256(bytes: Uint8Array): Uint8Array {
  hasher.init()
  hasher.update(bytes)
  return hasher.digest('binary')
}
