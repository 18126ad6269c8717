import { createHmac, timingSafeEqual } from 'node:crypto'
import { loginMessageText, type SignInSite } from '@candela/protocol/login-message'
import { checksumAddress } from 'viem'

/**
 * Stands in the address line of a message that was asked for without an address. EIP-4361 wants an address there and
 * wallets parse it; nobody can sign for this one, so it cannot be mistaken for the signer's.
 */
export const ANY_ADDRESS = '0x0000000000000000000000000000000000000000'

/** Hexadecimal digits of a nonce that are random, and those that prove the text around them. */
const RANDOM_DIGITS = 32
const PROOF_DIGITS = 32
const nonceLine = new RegExp(`^Nonce: ([0-9a-f]{${RANDOM_DIGITS}})([0-9a-f]{${PROOF_DIGITS}})$`, 'm')

export type LoginMessageTerms = {
  /** Undefined: who signed is recovered from the signature alone. */
  address: `0x${string}` | undefined
  /** At least 16 random bytes. */
  random: Buffer
  issuedAt: Date
}

/**
 * An EIP-4361 text to sign. Its nonce ends in a keyed hash of the whole text, which proves that the text is ours:
 * nothing is stored for messages that nobody signs, however many are asked for.
 */
export function issueLoginMessage(key: Buffer, site: SignInSite, terms: LoginMessageTerms): string {
  const random = terms.random.toString('hex').slice(0, RANDOM_DIGITS)
  const address = terms.address === undefined ? ANY_ADDRESS : checksumAddress(terms.address)
  const unproven = loginMessageText(site, { address, nonce: random, issuedAt: terms.issuedAt })
  return unproven.replace(random, `${random}${proofOf(key, unproven)}`)
}

export type IssuedMessage = {
  /** Lower case; null when it was issued for any address. */
  address: `0x${string}` | null
  nonce: string
  expiresAt: Date
}

/** Reads a text, if it is word for word one that was issued with this key; else null. It may have expired. */
export function readLoginMessage(key: Buffer, message: string): IssuedMessage | null {
  const [line, random = '', proof = ''] = nonceLine.exec(message) ?? []
  if (line === undefined) return null
  const unproven = message.replace(line, `Nonce: ${random}`)
  if (!timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(key, unproven)))) return null
  // From here on every line is as we wrote it.
  const address = message.split('\n')[1]?.toLowerCase() as `0x${string}`
  return {
    address: address === ANY_ADDRESS ? null : address,
    nonce: `${random}${proof}`,
    expiresAt: new Date(message.slice(message.lastIndexOf(' ') + 1)),
  }
}

const proofOf = (key: Buffer, unproven: string): string =>
  createHmac('sha256', key).update(unproven).digest('hex').slice(0, PROOF_DIGITS)
