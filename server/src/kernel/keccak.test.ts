import { keccak_256 } from '@noble/hashes/sha3.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { keccak256 } from './keccak.ts'

test('bytes of any length have the hash that the protocol’s library makes of them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      expect(keccak256(bytes)).toEqual(keccak_256(bytes))
    }),
  )
})
