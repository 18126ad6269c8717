import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { parse } from 'postcss'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { oldest, oldestForExit } from '../../web/browsers.ts'
import { type Browsers, type Finding, scriptFindings, styleFindings } from './support/browser-features.ts'
import { root, sources, text } from './support/source-files.ts'

/** Every built file against the list of the oldest browsers: what they do not have is added, guarded, or only an ornament. */

let folder: string
beforeAll(async () => {
  // Else React's development build is searched.
  vi.stubEnv('NODE_ENV', 'production')
  // The contracts that it pays to change no word of the language.
  vi.stubEnv('VITE_RPC_URLS', 'https://rpc.example')
  for (const name of ['GATEWAY', 'USDT', 'HASH']) vi.stubEnv(`VITE_${name}_ADDRESS`, `0x${'1'.repeat(40)}`)
  folder = await mkdtemp(path.join(tmpdir(), 'candela-built-'))
  for (const [config, to] of [
    ['vite.config.ts', 'app'],
    ['vite.exit.config.ts', 'exit'],
  ] as const)
    await build({
      configFile: path.join(root, 'web', config),
      mode: 'production',
      logLevel: 'error',
      build: { outDir: path.join(folder, to) },
    })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

/** Finds what each script and each style sheet of a build asks for, also those inside of pages. */
function findingsIn(
  folderOf: string,
  oldestOnes: Browsers,
  stylesOf: Browsers = oldestOnes,
): (Finding & { file: string })[] {
  const files = readdirSync(path.join(folder, folderOf), { recursive: true, encoding: 'utf8' })
  return files.flatMap((file) => {
    if (!/\.(?:js|css|html)$/.test(file)) return []
    const content = readFileSync(path.join(folder, folderOf, file), 'utf8')
    const parts = (tag: string) =>
      [...content.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'))].map(([, inside = '']) => inside)
    const [scripts, styles] = file.endsWith('.html')
      ? [parts('script'), parts('style')]
      : [file.endsWith('.js') ? [content] : [], file.endsWith('.css') ? [content] : []]
    const found = [
      ...scripts.flatMap((each) => scriptFindings(each, oldestOnes)),
      ...styles.flatMap((each) => styleFindings(each, stylesOf)),
    ]
    return found.map((finding) => ({ ...finding, file }))
  })
}

/** Methods that `browser/missing.ts` adds where they are missing, as the search names them. */
const added = [
  '.at',
  '.toSorted',
  '.toReversed',
  '.throwIfAborted',
  'Object.hasOwn',
  'Promise.withResolvers',
  'crypto.randomUUID',
]

/** Called only where they are there; the place looks first. */
const guarded: Readonly<Record<string, string>> = {
  '.fromHex': 'asked for by the hash library, which has its own way without',
  '.toHex': 'likewise',
  'Uint8Array.fromHex': 'likewise',
  'Uint8Array.fromBase64': 'likewise',
  '.showPopover': 'where popovers are there; else a sheet (explain-store.ts), or the toast in the sheet (toast.tsx)',
  '.hidePopover': 'likewise',
  '.startViewTransition': 'of React, for what the app does not use',
  navigation: 'likewise',
  trustedTypes: 'the page looks first (first-paint.ts)',
  reportError: 'React looks first',
  setImmediate: 'likewise',
  'Error.captureStackTrace': 'the libraries look first',
  SharedArrayBuffer: 'likewise',
  'URL.canParse': 'likewise',
  'navigator.connection': 'likewise',
  'navigator.deviceMemory': 'may be undefined (outlet.tsx)',
  'navigator.share': 'where it is there (own-code.tsx, keep-file.tsx)',
  'navigator.canShare': 'likewise',
  requestIdleCallback: 'where it is there (until-idle.ts)',
  '.getAnimations': 'of React, for what the app does not use',
}

/** Libraries alone use these of the guarded ones, because they look first and we do not. */
test('what only libraries ask a browser for is in no file of our own', () => {
  const ofLibraries = /\b(?:URL\.canParse|Error\.captureStackTrace|SharedArrayBuffer|reportError)\b/
  const own = sources.filter((file) => /^(?:web\/src|protocol|client)\//.test(file) && !file.includes('.test.'))
  expect(own.length).toBeGreaterThan(100)
  expect(own.filter((file) => ofLibraries.test(text(file).replaceAll(/^\s*(?:\/\*)?\*.*$/gm, '')))).toEqual([])
})

/** Methods of libraries and of the app that have a name of the browser's. */
const ownNames = [
  '.adopt',
  '.getPublicKey',
  '.install',
  '.isValid',
  '.login',
  '.notify',
  '.take',
  '.use',
  '.watch',
  '.when',
]

/** Without them the app looks plainer, and everything can be read and reached. */
const ornaments: Readonly<Record<string, string>> = {
  ':has': 'spacing alone',
  '@starting-style': 'a sheet comes at once instead of gliding',
  'accent-color': 'the browser’s own colour of a choice',
  'field-sizing': 'a number stands to the right of its field',
  'field-sizing: content': 'likewise',
  'overscroll-behavior': 'what is behind a sheet may move at its end',
  'overscroll-behavior: contain': 'likewise',
  'overscroll-behavior-y': 'a pull at the top may reload the page',
  'overscroll-behavior-y: contain': 'likewise',
  'scrollbar-width': 'a scroll bar is seen',
  'scrollbar-width: none': 'likewise',
  'text-wrap': 'lines end elsewhere',
  'text-wrap: balance': 'likewise',
  'text-wrap: pretty': 'likewise',
  'text-size-adjust': 'beside its form with a prefix',
  'user-select': 'likewise',
  'user-select: all': 'likewise',
  '-webkit-tap-highlight-color': 'a tap is seen once more',
  'cursor: default': 'phones have no cursor',
  'cursor: pointer': 'likewise',
  'font-family: ui-monospace': 'the next one of the list',
  ':-moz-progress-bar': 'each engine has its own name for it',
  ':-moz-range-thumb': 'likewise',
  ':-moz-range-track': 'likewise',
  ':-webkit-progress-bar': 'likewise',
  ':-webkit-progress-value': 'likewise',
  ':-webkit-slider-runnable-track': 'likewise',
  ':-webkit-slider-thumb': 'likewise',
}

/** The same of the one-file way out, whose scripts run in older browsers than its styles are made for. */
const addedForExit = [
  '.flatMap',
  '.replaceAll',
  'Object.fromEntries',
  'Promise.allSettled',
  'globalThis',
  'queueMicrotask',
]
const guardedForExit = ['AggregateError', '.getBigUint64', '.setBigUint64']

const known = new Set([...added, ...ownNames, ...Object.keys(guarded), ...Object.keys(ornaments)])
const unknown = (findings: readonly (Finding & { file: string })[], more: readonly string[] = []) => [
  ...new Set(
    findings
      .filter(({ what, file }) => !known.has(what) && !more.includes(what) && !file.startsWith('assets/missing-'))
      .map(({ what, missingIn, file }) => `${what} in ${file}: ${missingIn.join(', ')}`),
  ),
]

describe('the built app', () => {
  test('asks for nothing that its oldest browsers lack', () => {
    expect(unknown(findingsIn('app', oldest))).toEqual([])
  })

  test('the lists of what is known name nothing that is gone', () => {
    const found = new Set([...findingsIn('app', oldest), ...findingsIn('exit', oldestForExit)].map(({ what }) => what))
    expect([...known].filter((what) => !found.has(what))).toEqual([])
  })

  test('what is added where it is missing is what the page looks for', () => {
    const missing = text('web/src/browser/missing.ts')
    for (const name of added) expect([name, missing.includes(`'${name.split('.').at(-1)}'`)]).toEqual([name, true])
  })

  test('the words for older browsers are in the language of 2009', () => {
    const script = readFileSync(path.join(folder, 'app/too-old.js'), 'utf8')
    expect(script).toContain('Android System WebView')
    expect(script).not.toMatch(/=>|`|\b(?:let|const|class|async)\b|\.\.\.|\?\.|\?\?/)
  })
})

test('the one-file way out asks for nothing that its oldest browsers lack', () => {
  const found = findingsIn('exit', oldestForExit, oldest)
  expect(unknown(found, [...addedForExit, ...guardedForExit])).toEqual([])
  expect(addedForExit.filter((name) => !found.some(({ what }) => what === name))).toEqual([])
  const missing = text('web/src/browser/missing-for-exit.ts')
  for (const name of addedForExit) expect([name, missing.includes(`'${name.split('.').at(-1)}'`)]).toEqual([name, true])
})

const whatIn = (code: string) => scriptFindings(code, oldest).map(({ what }) => what)
const whatInStyle = (css: string) => styleFindings(css, oldest).map(({ what }) => what)

describe('the search', () => {
  test.each([
    ['[3, 1].toSorted()', '.toSorted'],
    ['Object.groupBy([], String)', 'Object.groupBy'],
    ['structuredClone({})', 'structuredClone'],
    ['AbortSignal.any([])', 'AbortSignal.any'],
    ['document.startViewTransition()', 'document.startViewTransition'],
    ['class A { static { f() } }', 'static block'],
    ['class A { #a; has(b) { return #a in b } }', '#name in'],
    ['/(?<=a)b/.test(c)', 'regular expression with v or d, or that looks behind'],
    ['f?.(...a, b)', 'spread before the last of an optional call'],
  ])('finds what is too new: %s', (code, what) => {
    expect(whatIn(code)).toEqual([what])
  })

  test.each([
    'a ??= b?.c',
    'class A { #a = 1 }',
    '"a".replaceAll("b", "c")',
    'list.has(1)',
    '({ at: 1, toSorted() {} })',
  ])('leaves alone what they have: %s', (code) => {
    expect(whatIn(code)).toEqual([])
  })

  test('knows styles: what stands alone, and what has another before it', () => {
    expect(whatInStyle('a { color: color-mix(in srgb, red, blue) }')).toEqual(['color: color-mix'])
    expect(whatInStyle('a { color: red; color: color-mix(in srgb, red, blue) }')).toEqual([])
    expect(whatInStyle('a { color: red; color: color-mix(in srgb, var(--a), blue) }')).toEqual(['color: color-mix'])
    expect(whatInStyle('a { height: 100dvh }')).toEqual(['height: viewport_percentage_units_dynamic'])
    expect(whatInStyle('a:is(.b) { translate: 0 }')).toEqual([':is', 'translate'])
    expect(whatInStyle('a { inset: 0; gap: 1px; display: flex }')).toEqual([])
  })
})

/** Styles that other browsers than today's Chromium take otherwise, without a word. */
function oddStyles(css: string): string[] {
  const found: string[] = []
  parse(css).walkRules((rule) => {
    const values = new Map<string, string>()
    rule.walkDecls(({ prop, value }) => void values.set(prop, value))
    const line = values.get('text-decoration') ?? 'none'
    if (!/^[a-z-]+$/.test(line)) found.push(`WebKit drops all of text-decoration: ${line}`)
    if (values.get('word-break') === 'keep-all' && values.get('overflow-wrap') !== 'anywhere')
      found.push(`WebKit cuts what is too long: ${rule.selector}`)
    if (rule.selector.includes('::backdrop') && [...values.values()].some((value) => value.includes('var(')))
      found.push(`a backdrop inherits nothing before 2024: ${rule.selector}`)
  })
  return found
}

test('no style is one that other engines drop, or take otherwise', () => {
  const sheets = readdirSync(path.join(root, 'web/src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => `web/src/${file}`)
  expect(sheets.length).toBeGreaterThan(40)
  expect(sheets.flatMap((file) => oddStyles(text(file)).map((what) => `${file}: ${what}`))).toEqual([])
  const planted =
    'a { text-decoration: underline dotted 1px } p { word-break: keep-all } d::backdrop { color: var(--b) }'
  expect(oddStyles(planted)).toHaveLength(3)
})

/** Its aim is in tests/bench/web.ts; this ends what makes it grow unnoticed, such as an import of a schema by the shell. */
const FIRST_LOAD_MAX_BYTES = 109_600

test('the first load holds no schemas, and is no larger than it was', () => {
  const page = readFileSync(path.join(folder, 'app/index.html'), 'utf8')
  const files = [...page.matchAll(/<link rel="modulepreload"[^>]*href="\/(assets\/[^"]+\.js)"/g)].map(
    ([, file = '']) => file,
  )
  expect(files.map((file) => file.replace(/-.{7}\.js$/, ''))).toContain('assets/index')
  const contents = files.map((file) => readFileSync(path.join(folder, 'app', file), 'utf8'))
  // A file that these load at once is part of the first load too.
  const imported = contents.flatMap((content) => [...content.matchAll(/from ?"\.\/([^"]+)"/g)].map(([, file]) => file))
  expect(imported.filter((file) => !files.includes(`assets/${file}`))).toStrictEqual([])
  expect(contents.filter((content) => content.includes('ZodType'))).toStrictEqual([])
  const bytes = contents.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0)
  expect(bytes).toBeLessThan(FIRST_LOAD_MAX_BYTES)
})
