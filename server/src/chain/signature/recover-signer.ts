import secp256k1 from 'secp256k1'
import { keccak256 } from '../../kernel/keccak.ts'

/**
 * The address whose key signed a 32-byte digest, in lower case. Null when the signature is not 65 bytes or fits no key.
 * Native code, about ten thousand a second, so that many wrong logins cost little.
 */
export function recoverSigner(digest: `0x${string}`, signature: `0x${string}`): `0x${string}` | null {
  if (signature.length !== 132) return null
  const bytes = Buffer.from(signature.slice(2), 'hex')
  if (bytes.length !== 65) return null
  // Wallets write the recovery id as 27 or 28, some hardware ones as 0 or 1.
  const last = bytes[64] ?? 255
  const recoveryId = last >= 27 ? last - 27 : last
  if (recoveryId !== 0 && recoveryId !== 1) return null
  try {
    const key = secp256k1.ecdsaRecover(bytes.subarray(0, 64), recoveryId, Buffer.from(digest.slice(2), 'hex'), false)
    // An address is the last 20 bytes of the hash of the key without its format byte.
    return `0x${Buffer.from(keccak256(key.subarray(1)).subarray(-20)).toString('hex')}`
  } catch {
    // The library throws when the numbers are out of range or no point fits: nobody signed this.
    return null
  }
}
