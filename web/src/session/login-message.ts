import { loginMessageText } from '@candela/protocol/login-message'
import { isThisMachine } from '../lib/this-machine.ts'

/** What is not the same in every login message to this account: the site, the spelling of the address, the nonce and the time. */
const parts =
  /^.+ wants .+:\n(?<address>0x.+)\n[^]*\nURI: (?<uri>.+)\n[^]*\nNonce: (?<nonce>[0-9a-f]{64})\nIssued At: (?<issuedAt>.+)\n/

/**
 * Whether a text is word for word the message that signs this account in to the page of this origin (EIP-4361), and to nothing else. A page of
 * one's own machine may have other names and ports there.
 */
export function isLoginMessage(message: string, account: string, origin: string): boolean {
  const { address = '', uri = '', nonce = '', issuedAt = '' } = parts.exec(message)?.groups ?? {}
  if (address.toLowerCase() !== account.toLowerCase() || !isSameSite(uri, origin)) return false
  const time = new Date(issuedAt)
  if (Number.isNaN(time.getTime())) return false
  return message === loginMessageText({ domain: new URL(uri).host, uri }, { address, nonce, issuedAt: time })
}

function isSameSite(uri: string, origin: string): boolean {
  if (uri === origin) return true
  const hosts = [uri, origin].map((each) => (URL.canParse(each) ? new URL(each) : null))
  // Else the text could lead elsewhere by a path or a name in front of the host.
  return hosts.every((url) => url !== null && isThisMachine(url.hostname)) && hosts[0]?.origin === uri
}
