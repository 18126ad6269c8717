import { loginMessageText } from '@candela/protocol/login-message'
import { parseUrl } from '../../lib/parse-url.ts'
import { isThisMachine } from '../../lib/this-machine.ts'

/**
 * Whether a text is word for word the message that signs this account in to the page of this origin (EIP-4361), and to nothing else. A page of
 * one's own machine may have other names and ports there.
 */
export function isLoginMessage(message: string, account: string, origin: string): boolean {
  // These parts are not the same in every message: the spelling of the address, the site, nonce and time.
  const [, address = '', , , , uriLine = '', , , nonceLine = '', timeLine = ''] = message.split('\n')
  const [uri, nonce] = [uriLine.slice('URI: '.length), nonceLine.slice('Nonce: '.length)]
  const issuedAt = new Date(timeLine.slice('Issued At: '.length))
  if (address.toLowerCase() !== account.toLowerCase() || !isSameSite(uri, origin)) return false
  if (!/^[0-9a-f]{64}$/.test(nonce) || Number.isNaN(issuedAt.getTime())) return false
  return message === loginMessageText({ domain: new URL(uri).host, uri }, { address, nonce, issuedAt })
}

function isSameSite(uri: string, origin: string): boolean {
  if (uri === origin) return true
  const named = parseUrl(uri)
  // Else the text could lead elsewhere by a path or a name in front of the host.
  return named?.origin === uri && isThisMachine(named.hostname) && isThisMachine(new URL(origin).hostname)
}
