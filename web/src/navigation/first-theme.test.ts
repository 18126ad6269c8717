import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { firstThemeScript, themeColors } from './first-theme.ts'
import { guard } from './guard.ts'
import { parseHash } from './router.ts'
import { routes } from './routes.ts'

/** `forbidden`: storage cannot be read. */
type Token = 'token' | '' | null | 'forbidden'

/** What the page looks like when the script has run, before anything else. */
function firstPaint(hash: string, token: Token) {
  const page = { theme: 'unset', color: 'unset' }
  runInNewContext(firstThemeScript(), {
    location: { hash },
    localStorage: {
      getItem(key: string) {
        if (token === 'forbidden') throw new Error('storage is forbidden')
        return key === 'token' ? token : null
      },
    },
    document: {
      documentElement: {
        dataset: {
          set theme(value: string) {
            page.theme = value
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
      expect([hash, firstPaint(hash, token)]).toEqual([hash, { theme, color: themeColors[theme] }])
    }
  },
)
