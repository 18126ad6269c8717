/** Header lines, made once and copied into each answer. */
export type HeaderLines = Readonly<Record<string, string>>

/** The content type of every answer of the API. */
export const JSON_TYPE = 'application/json; charset=utf-8'

export type SecurityHeaders = {
  /** For everything that is not a page: it may not be run, framed or cached. */
  api: HeaderLines
  /** The policy of the built web app's pages, in place of the one in `api`. */
  page: HeaderLines
  /** The policy of the service worker: it runs under its own, and may fetch from us alone. */
  worker: HeaderLines
  /** The policy of the API's document, which loads a style sheet and nothing else. */
  docs: HeaderLines
}

const YEAR_S = 31_536_000

/** The hashes of what stands in the page itself, as its policy names it: `sha256-…`. */
export type InlineHashes = { scripts: readonly string[]; styles: readonly string[] }

export type Origins = {
  /** Where people open the app. */
  publicOrigin: string
  /** Origins besides our own that the page may ask. */
  connectOrigins: readonly string[]
  /** Where the page sends its calls when that is not its own origin; then the page's origin alone may read our answers. */
  apiOrigin: string | undefined
}

/** How long a browser may remember what it may send, in seconds; more than two hours no browser takes. */
const PREFLIGHT_S = 7_200

/** The headers that the page may send to another origin: the token and the language, which a browser asks about first. */
export const preflightLines: HeaderLines = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, lang',
  'access-control-max-age': String(PREFLIGHT_S),
}

export function securityHeaders({
  publicOrigin,
  connectOrigins,
  apiOrigin,
  imageOrigins,
  inlineHashes,
}: Origins & {
  /** Where pictures may come from, besides our own origin. */
  imageOrigins: readonly string[]
  /** The hashes of the page's own inline scripts and style sheets. */
  inlineHashes: InlineHashes
}): SecurityHeaders {
  const https = publicOrigin.startsWith('https:')
  const isElsewhere = hasOtherOrigin({ publicOrigin, apiOrigin })
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
      // Always the same, so nothing varies with who asks. There are no cookies to be sent along.
      ...(isElsewhere && {
        'access-control-allow-origin': publicOrigin,
        'access-control-expose-headers': 'date, retry-after',
      }),
    },
    page: {
      'content-security-policy': pagePolicy({
        connectOrigins: [...(isElsewhere ? [apiOrigin ?? ''] : []), ...connectOrigins],
        imageOrigins,
        inlineHashes,
        https,
      }),
      'permissions-policy': permissionsPolicy,
    },
    worker: { 'content-security-policy': "default-src 'none'; connect-src 'self'; frame-ancestors 'none'" },
    docs: {
      'content-security-policy':
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  }
}

/** Whether the page's calls go to another origin than the page's own. */
export const hasOtherOrigin = ({ publicOrigin, apiOrigin }: Pick<Origins, 'publicOrigin' | 'apiOrigin'>): boolean =>
  apiOrigin !== undefined && apiOrigin !== publicOrigin

/**
 * The features that the page uses: members copy, and paste an address. Sharing is not named, because Chromium on Linux does not know it
 * and says so in the console. Old wallets ask by `sync-xhr`, and nothing is gained by forbidding it.
 */
const permitted = ['clipboard-read', 'clipboard-write']

/** Every other feature that browsers let a page give up, as far as Chromium knows it on every system. */
const givenUp = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'compute-pressure',
  'cross-origin-isolated',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'keyboard-map',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]

export const permissionsPolicy = [
  ...givenUp.map((feature) => `${feature}=()`),
  ...permitted.map((feature) => `${feature}=(self)`),
].join(', ')

type PagePolicy = {
  connectOrigins: readonly string[]
  imageOrigins: readonly string[]
  inlineHashes: InlineHashes
  https: boolean
}

function pagePolicy({ connectOrigins, imageOrigins, inlineHashes, https }: PagePolicy): string {
  const directives = [
    "default-src 'self'",
    ["script-src 'self'", ...inlineHashes.scripts.map((hash) => `'${hash}'`)].join(' '),
    ["style-src 'self'", ...inlineHashes.styles.map((hash) => `'${hash}'`)].join(' '),
    // Wallets announce their icons as data URIs (EIP-6963).
    ["img-src 'self' data:", ...imageOrigins].join(' '),
    "font-src 'self'",
    ["connect-src 'self'", ...connectOrigins].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    // The page's own policy, made by its first script, decides what a text may become.
    "require-trusted-types-for 'script'",
    "frame-ancestors 'none'",
    ...(https ? ['upgrade-insecure-requests'] : []),
  ]
  return directives.join('; ')
}
