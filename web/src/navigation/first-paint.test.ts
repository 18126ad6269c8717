import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import {
  firstPaintScript,
  oldBrowserScript,
  reportNotLoaded,
  startAfterPaintScript,
  themeColors,
  trustedTypesScript,
} from './first-paint.ts'
import { guard } from './guard.ts'
import { parseHash } from './router.ts'
import { routes } from './routes.ts'

/** `forbidden`: storage cannot be read. */
type Token = 'token' | '' | null | 'forbidden'

/** Tells what the page looks like when the script has run, before anything else. */
function firstPaint(hash: string, token: Token, lang: string | null = null, signedOut: string | null = null) {
  const page = { theme: 'unset', color: 'unset', lang: 'zh-Hant', visitor: false }
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
        set lang(value: string) {
          page.lang = value
        },
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
      expect([hash, firstPaint(hash, token)]).toMatchObject([hash, { theme, color: themeColors[theme], visitor }])
    }
  },
)

test('a visitor sees the words of home at once in the language that they are in, and no other', () => {
  const shown = [null, 'tw', 'de', 'zh', 'en'].map((lang) => firstPaint('#/index', null, lang).visitor)
  expect(shown).toEqual([true, true, true, false, false])
  const after = [null, 'byHand', 'ended'].map((reason) => firstPaint('#/index', '', null, reason).visitor)
  expect(after).toEqual([true, true, false])
})

test('before the first paint the page is in the language that was chosen', () => {
  const tags = [null, 'tw', 'zh', 'en', 'constructor'].map((lang) => firstPaint('#/index', null, lang).lang)
  expect(tags).toEqual(['zh-Hant', 'zh-Hant', 'zh-Hans', 'en', 'zh-Hant'])
})

const ORIGIN = 'https://app.example'
const lost = (nth: number): Error => new TypeError(`lost ${nth}`)

type Start = {
  hidden?: boolean
  losses?: number
  reloaded?: boolean
  storage?: boolean
  onLine?: boolean
  /** How a loss looks; without it as the browser reports a file that did not come. */
  failure?: (nth: number) => unknown
  /** One of the methods that `browser/missing.ts` adds. */
  lacks?: string
  isOld?: boolean
  hash?: string
}

/** A page in which the app is about to start; the main file is lost the first `losses` times. */
function startApp({
  hidden = false,
  losses = 0,
  reloaded = false,
  storage = true,
  onLine = true,
  failure = lost,
  lacks = '',
  isOld = false,
  hash = '',
}: Start = {}) {
  const frames: (() => void)[] = []
  const timers: { run: () => void; ms: number | undefined }[] = []
  const listeners = new Map<string, (event?: unknown) => void>()
  const line = { textContent: '' }
  const note = {
    hidden: true,
    isBroken: false,
    line,
    querySelector: () => line,
    setAttribute: () => void (note.isBroken = true),
    onclick: undefined as ((event: object) => void) | undefined,
  }
  const kept = new Map(reloaded ? [['reloaded', '1']] : [])
  const page = { started: [] as string[], reloads: 0, preloaded: [] as string[], frames, timers, listeners, note }
  // The imported file is one of the build: here its name is enough.
  const files = ['/assets/app-1a.js', '/assets/missing-2b.js', '/assets/others-3c.js'] as const
  const script = startAfterPaintScript(...files).replaceAll('import(', 'start(')
  runInNewContext(`${lacks === '' ? '' : `delete ${lacks};`}${script}`, {
    document: {
      hidden,
      getElementById: () => note,
      querySelector: () => ({}),
      createElement: () => ({}),
      head: { appendChild: ({ rel, href }: { rel: string; href: string }) => page.preloaded.push(`${rel} ${href}`) },
      documentElement: { hasAttribute: () => isOld },
    },
    navigator: { onLine, userAgent: 'Browser/1' },
    crypto: { randomUUID: () => '' },
    AbortSignal,
    sessionStorage: storage && {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    },
    location: { origin: ORIGIN, hash, reload: () => (page.reloads += 1) },
    addEventListener: (event: string, listener: () => void) => listeners.set(event, listener),
    requestAnimationFrame: (run: () => void) => frames.push(run),
    setTimeout: (run: () => void, ms?: number) => timers.push({ run, ms }),
    start: (file: string) => ({
      // oxlint-disable-next-line unicorn/no-thenable -- stands for a promise that is settled at once
      then(next: () => unknown) {
        page.started.push(file)
        return next()
      },
      catch(onLoss: (error: unknown) => void) {
        page.started.push(file)
        if (page.started.length <= losses) onLoss(failure(page.started.length))
      },
    }),
  })
  return page
}

test.each([true, false])('the app starts after a paint, and at once where nothing is painted: hidden %s', (hidden) => {
  const { started, frames, timers } = startApp({ hidden })
  if (!hidden) {
    expect(started).toEqual([])
    for (const run of frames) run()
    expect(started).toEqual([])
    for (const { run } of timers) run()
  }
  expect(started).toEqual(['/assets/app-1a.js'])
})

test.each([
  ['', []],
  ['#/index?code=A', []],
  ['#/deposit', ['modulepreload /assets/others-3c.js']],
])(
  'where the address is another screen\'s, the names of its files are loaded beside the app: "%s"',
  (hash, expected) => {
    expect(startApp({ hash }).preloaded).toEqual(expected)
  },
)

/** Runs what has been put off, until nothing is. What was lost in the end is shown by the browser as an error of the page. */
function runAll({ timers }: ReturnType<typeof startApp>): (number | undefined)[] {
  const pauses: (number | undefined)[] = []
  for (let next = timers.shift(); next !== undefined; next = timers.shift()) {
    pauses.push(next.ms)
    if (pauses.length === 2) expect(next.run).toThrow('lost 3')
    else next.run()
  }
  return pauses
}

test('a main file that is lost three times has the page reloaded once', () => {
  const page = startApp({ hidden: true, losses: 3 })
  expect(runAll(page)).toEqual([500, 2_000])
  expect([page.started.length, page.reloads, page.note.hidden]).toEqual([3, 1, true])
})

test.each([{ reloaded: true }, { storage: false }, { onLine: false }])(
  'after that reload, where it could not be noted, and without a connection, the page says what is so and can be reloaded: %j',
  (so) => {
    const page = startApp({ hidden: true, losses: 3, ...so })
    runAll(page)
    expect([page.reloads, page.note.hidden]).toEqual([0, false])
    page.note.onclick?.({ target: { tagName: 'P' } })
    expect(page.reloads).toBe(0)
    page.note.onclick?.({ target: { tagName: 'BUTTON' } })
    page.listeners.get('online')?.()
    expect(page.reloads).toBe(2)
  },
)

test.each(['Array.prototype.at', 'Array.prototype.toSorted', 'Object.hasOwn', 'Promise.withResolvers'])(
  'a browser without %s gets what older ones lack before the app',
  (lacks) => {
    expect(startApp({ hidden: true, lacks }).started).toEqual(['/assets/missing-2b.js', '/assets/app-1a.js'])
    expect(startApp({ hidden: true }).started).toEqual(['/assets/app-1a.js'])
  },
)

test('in a browser that is too old the app is not started', () => {
  expect(startApp({ hidden: true, isOld: true }).started).toEqual([])
})

/** An error of the app's own file, as its stack tells it. */
const ours = (): Error => Object.assign(new TypeError('x is undefined'), { stack: `at ${ORIGIN}/assets/app-1a.js:1:2` })

test('an app that comes and fails is said to be broken, with a line for support, and is not asked for again', () => {
  const page = startApp({ hidden: true, losses: 1, failure: ours })
  expect(page.timers).toEqual([])
  expect([page.reloads, page.note.hidden, page.note.isBroken]).toEqual([0, false, true])
  expect(page.note.line.textContent).toBe('TypeError: x is undefined · app-1a.js · Browser/1')
})

test('an error before the app has drawn the page is said where it is the app’s, and not where it is a wallet’s', () => {
  for (const [kind, key] of [
    ['error', 'error'],
    ['unhandledrejection', 'reason'],
  ] as const) {
    const page = startApp({ hidden: true })
    const injected = Object.assign(new Error('no'), { stack: 'at chrome-extension://abc/inpage.js:1:2' })
    page.listeners.get(kind)?.({ [key]: injected })
    page.listeners.get(kind)?.({ [key]: undefined })
    expect(page.note.hidden).toBe(true)
    page.listeners.get(kind)?.({ [key]: ours() })
    expect([page.note.hidden, page.note.isBroken]).toEqual([false, true])
  }
})

/** The file that the script loads; null where it lets the page be. */
function oldBrowser(browser: object): string | null {
  const script = { src: null as string | null }
  const attributes: string[] = []
  runInNewContext(oldBrowserScript('/too-old.js'), {
    ...browser,
    document: {
      documentElement: {
        setAttribute: (name: string) => attributes.push(name),
        firstChild: { appendChild: () => undefined },
      },
      createElement: () => script,
    },
  })
  expect(attributes.length).toBe(script.src === null ? 0 : 1)
  return script.src
}

test('a browser that is too old gets the file that says so', () => {
  class HTMLDialogElement {
    showModal() {}
  }
  const CSS = { supports: () => true }
  expect(oldBrowser({ CSS, HTMLDialogElement })).toBeNull()
  expect(oldBrowser({ CSS: { supports: () => false }, HTMLDialogElement })).toBe('/too-old.js')
  expect(oldBrowser({ CSS, HTMLDialogElement: { prototype: {} } })).toBe('/too-old.js')
  expect(oldBrowser({ CSS })).toBe('/too-old.js')
  expect(oldBrowser({})).toBe('/too-old.js')
})

test('an app that did not get its texts is as one that was not loaded', () => {
  const page = startApp({ hidden: true, reloaded: true })
  const said = new EventTarget()
  said.addEventListener('not-loaded', () => page.listeners.get('not-loaded')?.({}))
  reportNotLoaded(said)
  expect(page.note.hidden).toBe(false)
})

test('the policy of the page makes no script of a text, and loads scripts of its own origin alone', () => {
  type Policy = {
    createHTML: (html: string) => string
    createScriptURL: (url: string) => string | null
    createScript?: unknown
  }
  let [made, named] = [null as Policy | null, '']
  const location = { href: 'https://app.example/#/index', origin: 'https://app.example' }
  const trustedTypes = { createPolicy: (name: string, policy: Policy) => ([named, made] = [name, policy]) }
  runInNewContext(trustedTypesScript(), { trustedTypes, location, URL })
  expect([named, made?.createScript]).toEqual(['default', undefined])
  expect(made?.createHTML('<b>a wallet</b>')).toBe('<b>a wallet</b>')
  const urls = [
    '/sw.js',
    'https://app.example/too-old.js',
    'https://evil.example/x.js',
    '//evil.example/x.js',
    'data:,x',
    'blob:x',
  ]
  expect(urls.map((url) => made?.createScriptURL(url))).toEqual([urls[0], urls[1], null, null, null, null])
  // Browsers without it go on.
  runInNewContext(trustedTypesScript(), {})
})

test.each(['index.html', 'exit.html'])(
  'the page is not to be translated, because texts that are replaced no longer change: %s',
  async (file) => {
    const page = await readFile(join(import.meta.dirname, '..', '..', file), 'utf8')
    expect(page).toMatch(/<html lang="zh-Hant" [^>]*translate="no"/)
    expect(page).toContain('<meta name="google" content="notranslate" />')
  },
)
