import { assetCodes } from '@candela/protocol/money/assets'
import { transferTypedData } from '@candela/protocol/chain/typed-data'
import * as fc from 'fast-check'
import { hashTypedData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { hashTerms, transferDomain } from './hash-terms.ts'

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
const terms = fc.record({
  from: address,
  to: address,
  asset: fc.constantFrom(...assetCodes),
  amount: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
  requestId: fc.stringMatching(/^[A-Za-z0-9_-]{8,64}$/),
  deadline: fc.date({ noInvalidDate: true }),
})

test('the digest is the one that wallets make of the typed data', () => {
  fc.assert(
    fc.property(address, terms, (gateway, each) => {
      expect(hashTerms(transferDomain(gateway), each)).toBe(hashTypedData(transferTypedData(each, gateway)))
    }),
  )
})
