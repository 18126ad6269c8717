import { CHAIN_ID } from './chain/network.ts'
import { MINUTE_MS } from './units.ts'

/** How long a login message may be signed and sent back. */
export const LOGIN_MESSAGE_MS = 5 * MINUTE_MS

/** The app that asks for the signature (EIP-4361): the host that people see, and the app's URI. */
export type SignInSite = { domain: string; uri: string }

export type LoginMessageTerms = {
  /** As it stands in the text. */
  address: string
  nonce: string
  issuedAt: Date
}

const STATEMENT = 'Sign in to Candela. This signature moves no funds and costs nothing.'

/** The text of a login (EIP-4361): the server issues it, and the page compares it before a wallet signs it. */
export const loginMessageText = (
  { domain, uri }: SignInSite,
  { address, nonce, issuedAt }: LoginMessageTerms,
): string =>
  [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    STATEMENT,
    '',
    `URI: ${uri}`,
    'Version: 1',
    `Chain ID: ${CHAIN_ID}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    `Expiration Time: ${new Date(issuedAt.getTime() + LOGIN_MESSAGE_MS).toISOString()}`,
  ].join('\n')
