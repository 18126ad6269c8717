import { CHAIN_ID } from '@candela/protocol/network'
import { checksumAddress } from 'viem'

/** How long a login message may be signed and sent back. */
export const LOGIN_MESSAGE_MS = 5 * 60_000

/** Who asks for the signature (EIP-4361): the host that people see, and the app's URI. */
export type SignInSite = { domain: string; uri: string }

/**
 * Stands in the address line of a message that was asked for without an address. EIP-4361 wants an address there and
 * wallets parse it; nobody can sign for this one, so it cannot be mistaken for the signer's.
 */
export const ANY_ADDRESS = '0x0000000000000000000000000000000000000000'

const STATEMENT = 'Sign in to Candela. This signature moves no funds and costs nothing.'

/** The EIP-4361 text to sign. Without an address, who signed is recovered from the signature alone. */
export function loginMessageText(
  site: SignInSite,
  terms: { address: `0x${string}` | undefined; nonce: string; issuedAt: Date; expiresAt: Date },
): string {
  const address = terms.address === undefined ? ANY_ADDRESS : checksumAddress(terms.address)
  return [
    `${site.domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    STATEMENT,
    '',
    `URI: ${site.uri}`,
    'Version: 1',
    `Chain ID: ${CHAIN_ID}`,
    `Nonce: ${terms.nonce}`,
    `Issued At: ${terms.issuedAt.toISOString()}`,
    `Expiration Time: ${terms.expiresAt.toISOString()}`,
  ].join('\n')
}

/** The nonce of a message that looks like one of ours; null otherwise. What it says is compared with what we issued. */
export function nonceOf(message: string): string | null {
  return /^Nonce: ([0-9a-f]{32})$/m.exec(message)?.[1] ?? null
}
