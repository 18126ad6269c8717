import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { firstPaintScript, startAfterPaintScript, themeColors } from './first-paint.ts'
import { guard } from './guard.ts'
import { parseHash } from './router.ts'
import { routes } from './routes.ts'

/** `forbidden`: storage cannot be read. */
type Token = 'token' | '' | null | 'forbidden'

/** What the page looks like when the script has run, before anything else. */
function firstPaint(hash: string, token: Token, lang: string | null = null, signedOut: string | null = null) {
  const page = { theme: 'unset', color: 'unset', visitor: false }
  runInNewContext(firstPaintScript(), {
    location: { hash },
    localStorage: {
      getItem(key: string) {
        if (token === 'forbidden') throw new Error('storage is forbidden')
        return { token, lang, signedOut }[key] ?? null
      },
    },
    document: {
      documentElement: {
        dataset: {
          set theme(value: string) {
            page.theme = value
          },
          set visitor(_value: string) {
            page.visitor = true
          },
        },
      },
      querySelector: () => ({ setAttribute: (_name: string, value: string) => (page.color = value) }),
    },
  })
  return page
}

const hashes = [
  ...Object.keys(routes).flatMap((path) => [`#${path}`, `#${path}?no=AB12&x=1`, `#${path.slice(1)}/`]),
  '',
  '#',
  '#/',
  '#//order',
  '#/nowhere',
  '#/constructor',
  '#/order/more',
  '#/index?code=CANDELA1',
]

test.each<Token>(['token', '', null, 'forbidden'])(
  'before the first paint the theme is that of the screen: token %s',
  (token) => {
    const readToken = () => {
      if (token === 'forbidden') throw new Error('storage is forbidden')
      return token ?? ''
    }
    for (const hash of hashes) {
      const { theme } = routes[guard(parseHash(hash).path, readToken)]
      const visitor = token === '' || token === null
      expect([hash, firstPaint(hash, token)]).toEqual([hash, { theme, color: themeColors[theme], visitor }])
    }
  },
)

test('a visitor sees the words of home at once in the language that they are in, and no other', () => {
  const shown = [null, 'tw', 'de', 'zh', 'en'].map((lang) => firstPaint('#/index', null, lang).visitor)
  expect(shown).toEqual([true, true, true, false, false])
  const after = [null, 'byHand', 'ended'].map((reason) => firstPaint('#/index', '', null, reason).visitor)
  expect(after).toEqual([true, true, false])
})

test.each([true, false])('the app starts after a paint, and at once where nothing is painted: hidden %s', (hidden) => {
  const frames: (() => void)[] = []
  const timers: (() => void)[] = []
  const started: string[] = []
  // What it imports is a file of the build: here its name is enough.
  runInNewContext(startAfterPaintScript('/assets/app.js').replace('import(', 'start('), {
    document: { hidden },
    requestAnimationFrame: (run: () => void) => frames.push(run),
    setTimeout: (run: () => void) => timers.push(run),
    start: (file: string) => started.push(file),
  })
  if (!hidden) {
    expect(started).toEqual([])
    for (const run of frames) run()
    expect(started).toEqual([])
    for (const run of timers) run()
  }
  expect(started).toEqual(['/assets/app.js'])
})
