const BEARER = /^Bearer /i

/**
 * The session token of an Authorization header, bare or behind "Bearer". Undefined when there is none or it cannot be
 * one of ours: 43 base64url characters.
 */
export function tokenFromHeader(header: string | undefined): string | undefined {
  const token = header?.replace(BEARER, '')
  return token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined
}
