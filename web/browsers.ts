/**
 * The oldest browsers that the app runs in; a browser inside a wallet is its phone's WebView or WKWebView. The build, what is added where
 * it is missing (`src/browser/missing.ts`), the note for older ones, and the rule over the built files take them from here.
 */
export const oldest = { chrome: '87', safari: '15.4', firefox: '102' } as const

/**
 * The oldest browsers of the one-file way out: the first with whole numbers of any size, without which no amount can be computed. Its
 * styles are as the app's.
 */
export const oldestForExit = { chrome: '68', safari: '15', firefox: '68' } as const

/**
 * The language that the build writes. The app's browsers have all of it but static blocks, `#name in` and some regular expressions, which
 * no built file has; written for them by name, classes of today's libraries become 2 kB larger.
 */
export const syntax = 'es2022'

/** As a build of styles names them. */
export const targetsOf = ({ chrome, safari, firefox }: Readonly<Record<keyof typeof oldest, string>>): string[] => [
  `chrome${chrome}`,
  `safari${safari}`,
  `ios${safari}`,
  `firefox${firefox}`,
]
