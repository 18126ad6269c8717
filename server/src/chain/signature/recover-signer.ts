// Not the package's index, which reads a hundred modules more and takes a second.
import { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js'
import { keccak256 } from '../../kernel/keccak.ts'

/** libsecp256k1 as WebAssembly: the same bytes on every platform, where a compiled addon is missing on some and then slow in silence. */
const secp256k1 = await instantiateSecp256k1()

/**
 * The address whose key signed a 32-byte digest, in lower case. Null when the signature is not 65 bytes or fits no key.
 * About seven thousand a second on one core, so that many wrong logins cost little.
 */
export function recoverSigner(digest: `0x${string}`, signature: `0x${string}`): `0x${string}` | null {
  if (signature.length !== 132) return null
  const bytes = Buffer.from(signature.slice(2), 'hex')
  if (bytes.length !== 65) return null
  // Wallets write the recovery id as 27 or 28, some hardware ones as 0 or 1.
  const last = bytes[64] ?? 255
  const recoveryId = last >= 27 ? last - 27 : last
  if (recoveryId !== 0 && recoveryId !== 1) return null
  const hash = Buffer.from(digest.slice(2), 'hex')
  const key = secp256k1.recoverPublicKeyUncompressed(bytes.subarray(0, 64), recoveryId, hash)
  // The library gives a text when the numbers are out of range or no point fits: nobody signed this.
  if (typeof key === 'string') return null
  // An address is the last 20 bytes of the hash of the key without its format byte.
  return `0x${Buffer.from(keccak256(key.subarray(1)).subarray(-20)).toString('hex')}`
}
