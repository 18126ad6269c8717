/** Header lines, made once and copied into each answer. */
export type HeaderLines = Readonly<Record<string, string>>

/** The content type of every answer of the API. */
export const JSON_TYPE = 'application/json; charset=utf-8'

export type SecurityHeaders = {
  /** For everything that is not a page: it may not be run, framed or cached. */
  api: HeaderLines
  /** The policy of the built web app's pages, in place of the one in `api`. */
  page: HeaderLines
  /** The policy of the API's document, which loads a style sheet and nothing else. */
  docs: HeaderLines
}

const YEAR_S = 31_536_000

/** `publicOrigin` is where people open the app; `connectOrigins` are those besides our own that the page may ask. */
export function securityHeaders(publicOrigin: string, connectOrigins: readonly string[]): SecurityHeaders {
  const https = publicOrigin.startsWith('https:')
  return {
    api: {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      // Some wallets open a window and exchange messages with it.
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      ...(https && { 'strict-transport-security': `max-age=${YEAR_S}` }),
      'cache-control': 'no-store',
    },
    page: {
      'content-security-policy': pagePolicy(connectOrigins, https),
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    },
    docs: {
      'content-security-policy':
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  }
}

function pagePolicy(connectOrigins: readonly string[], https: boolean): string {
  const directives = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    // Wallets announce their icons as data URIs (EIP-6963).
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connectOrigins].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(https ? ['upgrade-insecure-requests'] : []),
  ]
  return directives.join('; ')
}
