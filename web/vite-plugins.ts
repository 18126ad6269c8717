import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite'
import { oldest, type oldestForExit, syntax } from './browsers.ts'
import { checkedRpcUrls } from './src/wallet/known-rpcs.ts'
import { contractsOf } from './src/wallet/paying/contracts.ts'
import {
  firstPaintScript,
  oldBrowserScript,
  startAfterPaintScript,
  trustedTypesScript,
} from './src/navigation/first-paint.ts'
import { texts as homeTexts } from './src/texts/tw/initial/home.ts'

/** The texts of the default language, which the first screen waits for. */
const INITIAL_TEXTS = 'src/texts/tw/initial.ts'

/** The styles of the first load in the page itself: as a file they would be waited for once more before anything is painted. */
const withStyles = (html: string, bundle: Rolldown.OutputBundle): string =>
  html.replaceAll(/<link rel="stylesheet" crossorigin href="\/([^"]+)">/g, (link, name: string) => {
    const file = bundle[name]
    if (file?.type !== 'asset') return link
    const css = typeof file.source === 'string' ? file.source : new TextDecoder().decode(file.source)
    // Addresses in it are those of a file in its folder.
    if (css.includes('url(') || css.includes('</')) throw new Error(`${name} cannot stand in the page`)
    return `<style>${css}</style>`
  })

/** Low: what is painted first does not need it. */
const preloadOf = (href: string) => ({ rel: 'modulepreload', crossorigin: true, fetchpriority: 'low', href })

/** Fetches them beside the main file instead of after it. */
export const preloadInitialTexts: Plugin = {
  name: 'preload-initial-texts',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk')
      const texts = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(INITIAL_TEXTS) === true)
      if (texts === undefined) return []
      return [{ tag: 'link', attrs: preloadOf(`/${texts.fileName}`), injectTo: 'head' }]
    },
  },
}

/**
 * Where people will open the app, for the picture of a shared link: those who show it do not look it up beside the page.
 * Without `VITE_PUBLIC_ORIGIN` it stays a path.
 */
export const sharePicture: Plugin = {
  name: 'share-picture',
  transformIndexHtml: (html) => {
    const origin = process.env['VITE_PUBLIC_ORIGIN'] ?? ''
    if (origin !== '' && new URL(origin).origin !== origin)
      throw new Error(`VITE_PUBLIC_ORIGIN is no origin: ${origin}`)
    return html.replace('content="/share.png"', `content="${origin}/share.png"`)
  },
}

/** The page asks wallets for payments to no other contracts, and gives them no other RPCs, than those that are built in. */
export const knownChain: Plugin = {
  name: 'known-chain',
  apply: 'build',
  configResolved({ env, mode }) {
    const isWhole = contractsOf(env) !== null && checkedRpcUrls(env['VITE_RPC_URLS']) !== null
    if (!isWhole && mode === 'production')
      throw new Error(
        'A production build needs VITE_GATEWAY_ADDRESS, VITE_USDT_ADDRESS, VITE_HASH_ADDRESS and VITE_RPC_URLS',
      )
  },
}

/** A script of its own that runs in browsers of any age, without what a bundle needs. */
export async function classicScript(file: string, define: Readonly<Record<string, string>> = {}): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define,
    // A minifier would write it in a newer language.
    build: {
      write: false,
      target: 'es2015',
      minify: false,
      rolldownOptions: { input: path.join(import.meta.dirname, file), output: { format: 'iife' } },
    },
  })
  const [script] = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  if (script?.type !== 'chunk') throw new Error(`${file} was not built`)
  return script.code
}

/**
 * The script of a page whose browser is too old. `qrFile`: where the script of its QR code is; null for a page that fetches nothing.
 */
export const tooOldWords = (browsers: typeof oldest | typeof oldestForExit, qrFile: string | null): Promise<string> =>
  classicScript('src/browser/too-old.ts', { OLDEST: JSON.stringify(browsers), QR_FILE: JSON.stringify(qrFile) })

/** Begins the name of the file that adds what older browsers lack. */
const MISSING = 'missing-'

/** Emits what only older browsers load: what they lack, and `too-old.js` and `too-old-qr.js`, by names that the page knows. */
export const olderBrowsers: Plugin = {
  name: 'older-browsers',
  apply: 'build',
  async generateBundle() {
    const missing = await classicScript('src/browser/missing.ts')
    const words = await tooOldWords(oldest, '/too-old-qr.js')
    const qr = await classicScript('src/browser/too-old-qr.ts')
    const hash = createHash('sha256').update(missing).digest('base64url').slice(0, 8)
    this.emitFile({ type: 'asset', fileName: `assets/${MISSING}${hash}.js`, source: missing })
    this.emitFile({ type: 'asset', fileName: 'too-old.js', source: words })
    this.emitFile({ type: 'asset', fileName: 'too-old-qr.js', source: qr })
  },
}

/** Names the files of every screen but home. */
const OTHER_SCREENS = '/screens/other-screens.ts'

/** The first texts, the names of the screens' files, and the shell's own sheets, which every page may open, also without a connection. */
const EVERY_PAGE =
  /\/texts\/\w+\/initial\.ts$|\/other-screens\.ts$|\/shell\/[^/]+-(sheet|dialog)\.tsx$|overlay\/explain\.tsx$/

/**
 * Builds the service worker, by itself because it shares nothing with pages: at the root, because it may only answer for
 * what lies below it. It is told which files of this build every page needs, and a name of the build.
 */
export const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const wanted = chunks.filter(({ isEntry, facadeModuleId }) => isEntry || EVERY_PAGE.test(facadeModuleId ?? ''))
      const imported = new Set(wanted.flatMap(({ imports }) => imports))
      const needed = [...wanted, ...chunks.filter(({ fileName }) => imported.has(fileName))]
      // The styles of the first load stand in the page.
      const styles = needed
        .filter(({ isEntry }) => !isEntry)
        .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
      const files = new Set([...needed.map(({ fileName }) => fileName), ...styles])
      const paths = [...files].toSorted().map((file) => `/${file}`)
      // Every file's name holds its content, so the names of all are a name of the build.
      const version = createHash('sha256').update(Object.keys(bundle).toSorted().join()).digest('hex').slice(0, 12)
      const built = await build({
        configFile: false,
        logLevel: 'error',
        define: { SHELL_FILES: JSON.stringify(paths), SHELL_VERSION: JSON.stringify(version) },
        build: {
          write: false,
          target: syntax,
          rolldownOptions: {
            input: path.join(import.meta.dirname, 'src/service-worker/service-worker.ts'),
            output: { format: 'iife', entryFileNames: 'sw.js' },
          },
        },
      })
      const [worker] = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
      if (worker?.type !== 'chunk') throw new Error('The service worker was not built')
      this.emitFile({ type: 'asset', fileName: worker.fileName, source: worker.code })
    },
  },
}

/**
 * Paints the page before the app runs. The script is put into the head, behind the element that it changes: nothing is painted before
 * it has run.
 */
export const firstPaint: Plugin = {
  name: 'first-paint',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      const withTexts = html.replace(
        /%(visit\.(?:title|lead))%/g,
        (_text, key: 'visit.title' | 'visit.lead') => homeTexts[key],
      )
      const app = /<script type="module" crossorigin src="([^"]+)"><\/script>/.exec(withTexts)
      const tags: HtmlTagDescriptor[] = [
        { tag: 'script', children: trustedTypesScript(), injectTo: 'head' },
        { tag: 'script', children: firstPaintScript(), injectTo: 'head' },
      ]
      if (app === null) return { html: withTexts, tags }
      const [element, file = ''] = app
      const missing = Object.keys(bundle ?? {}).find((name) => name.startsWith(`assets/${MISSING}`))
      if (missing === undefined) throw new Error('What older browsers lack was not built')
      const others = Object.values(bundle ?? {}).find(
        (each) => each.type === 'chunk' && each.facadeModuleId?.endsWith(OTHER_SCREENS) === true,
      )
      if (others === undefined) throw new Error('The names of the screens were not built')
      tags.push({ tag: 'script', children: oldBrowserScript('/too-old.js'), injectTo: 'head' })
      tags.push(
        { tag: 'link', attrs: preloadOf(file), injectTo: 'head-prepend' },
        {
          tag: 'script',
          children: startAfterPaintScript(file, `/${missing}`, `/${others.fileName}`),
          injectTo: 'body',
        },
      )
      return { html: withStyles(withTexts.replace(element, ''), bundle ?? {}), tags }
    },
  },
}

/** Below this many bytes a compressed copy saves no packet. */
const WORTH_COMPRESSING = 1_000

/** Leaves a brotli and a gzip copy beside each file, so that the server compresses nothing while people wait. */
export const compressedCopies: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  async writeBundle({ dir }, bundle) {
    if (dir === undefined) return
    const jobs = Object.values(bundle).flatMap((file) => {
      const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
      return bytes.length < WORTH_COMPRESSING ? [] : [compress(path.join(dir, file.fileName), bytes)]
    })
    await Promise.all(jobs)
  },
}

async function compress(file: string, bytes: Buffer): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }))
}
