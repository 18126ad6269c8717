import { concatHex, type Hex, keccak256, toHex } from 'viem'

/**
 * A contract wallet in 57 bytes: its "signature" of a hash is the hash xor a secret word. Whatever is called, it
 * compares the first word of the signature with the hash in the first argument and answers EIP-1271's magic value.
 */
const secret = keccak256(toHex('only the wallet knows'))
const walletCode = concatHex([
  '0x600435', // the hash
  '0x7f',
  secret,
  '0x18', // xor
  '0x606435', // the first word of the signature
  '0x14', // equal
  '0x631626ba7e', // the magic value
  '0x02', // times 0 or 1
  '0x60e01b', // in the highest bytes
  '0x60005260206000f3',
])

/** Sent in a transaction, this makes such a wallet. */
export const walletInit = concatHex([
  '0x60',
  toHex((walletCode.length - 2) / 2, { size: 1 }),
  '0x80600b6000396000f3',
  walletCode,
])

/** A contract that deploys whatever it is called with, by CREATE2 with salt 0. */
export const factoryInit = '0x601680600b6000396000f336600060003760003660006000f560005260206000f3'

/** Signs a digest as such a wallet accepts it. */
export const signAsWallet = (digest: Hex): Hex => toHex(BigInt(digest) ^ BigInt(secret), { size: 32 })
