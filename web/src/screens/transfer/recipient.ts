import { CHAIN_ID } from '@candela/protocol/chain/network'

/** A payment link (EIP-681) as wallets put it into their QR codes: the address, and the chain where it is named. */
const LINK = /^ethereum:(?:pay-)?(0x[0-9a-f]{40})(?:@([0-9]+))?(?:[/?].*)?$/i

/**
 * Reads what was typed or pasted as a recipient: an address in lower case, or a UID. Null for anything else. Full-width digits and
 * letters mean the same as plain ones, and what cannot be seen means nothing.
 */
export function readRecipient(text: string): string | null {
  const plain = text.normalize('NFKC').replaceAll(/[\p{Cf}\p{Cc}\s]/gu, '')
  const [, linked, chain] = LINK.exec(plain) ?? []
  if (linked !== undefined) return chain === undefined || Number(chain) === CHAIN_ID ? linked.toLowerCase() : null
  if (/^0x[0-9a-f]{40}$/i.test(plain)) return plain.toLowerCase()
  return /^[1-9][0-9]{0,17}$/.test(plain) ? plain : null
}
