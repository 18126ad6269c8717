import { assetCodes } from '@candela/protocol/money/assets'
import {
  signingDomain,
  transferFields,
  transferTypedData,
  type TransferTerms,
} from '@candela/protocol/chain/typed-data'
import { domainSeparator, type Hex } from 'viem'
import { keccak256 } from '../../kernel/keccak.ts'

/** Hashes a type's description, or a term's text. */
const hashText = (text: string): Uint8Array => keccak256(Buffer.from(text))

const typeHash = hashText(`Transfer(${transferFields.map(({ name, type }) => `${type} ${name}`).join(',')})`)
const assetHashes = new Map<string, Uint8Array>(assetCodes.map((asset) => [asset, hashText(asset)]))

/** The contract that the terms name, with the first bytes of each digest. */
export type TransferDomain = { gateway: Hex; prefix: Buffer }

export const transferDomain = (gateway: Hex): TransferDomain => ({
  gateway,
  prefix: Buffer.from(`1901${domainSeparator({ domain: signingDomain(gateway) }).slice(2)}`, 'hex'),
})

/**
 * The EIP-712 digest of a transfer's terms: what the sender's wallet signs. Written out for our one type, because the
 * general way takes four times as long, which is as much as checking the signature.
 */
export function hashTerms({ gateway, prefix }: TransferDomain, terms: TransferTerms): Hex {
  const { message } = transferTypedData(terms, gateway)
  const struct = Buffer.alloc(32 * (1 + transferFields.length))
  struct.set(typeHash)
  for (const [place, { name, type }] of transferFields.entries()) {
    const at = 32 * (place + 1)
    // An address stands in the last 20 of 32 bytes; a text is there by its hash.
    if (type === 'address') struct.write(message[name].slice(2), at + 12, 'hex')
    else struct.set(assetHashes.get(message[name]) ?? hashText(message[name]), at)
  }
  return `0x${Buffer.from(keccak256(Buffer.concat([prefix, keccak256(struct)]))).toString('hex')}`
}
