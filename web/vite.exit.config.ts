import { hash } from 'node:crypto'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { tooOldWords } from './vite-plugins.ts'
import { oldest, oldestForExit, targetsOf } from './browsers.ts'

/** Puts scripts and styles into the page itself, so that it is one file that anybody can host or open. */
const oneFile: Plugin = {
  name: 'one-file',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_options, bundle) {
    const page = Object.values(bundle).find((file) => file.type === 'asset' && file.fileName.endsWith('.html'))
    if (page?.type !== 'asset') throw new Error('the build has no page')
    let html = String(page.source)
    for (const [name, file] of Object.entries(bundle)) {
      if (file === page) continue
      delete bundle[name]
      // Code that "</script" would end is written differently; the value of the text stays the same.
      if (file.type === 'chunk')
        html = html.replace(/<script type="module"[^>]*><\/script>/, '').replace('</body>', () => {
          const code = file.code.replaceAll('</script', String.raw`<\/script`)
          return `<script type="module">${code}</script></body>`
        })
      else if (name.endsWith('.css'))
        html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${String(file.source)}</style>`)
    }
    // The first with whole numbers of any size, and with views of them: those of `oldestForExit`.
    const check = 'try{if(BigInt&&DataView.prototype.getBigUint64)return}catch(error){}'
    const words = await tooOldWords(oldestForExit, null)
    html = html.replace('</head>', () => `<script>(function(){${check}${words}})()</script></head>`)
    page.source = html.replace(
      '<meta charset="utf-8" />',
      (charset) => `${charset}<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}" />`,
    )
  },
}

const hashesOf = (html: string, tag: 'script' | 'style'): string =>
  [...html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'))]
    .map(([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`)
    .join(' ')

/** The page's own code may run, and whichever RPC the person names may be asked: nothing else, wherever the page is hosted. */
const policyOf = (html: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashesOf(html, 'script')}`,
    `style-src ${hashesOf(html, 'style')}`,
    'connect-src http: https:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** The way out as one file: `dist-exit/exit.html`. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [react(), oneFile],
  build: {
    outDir: 'dist-exit',
    emptyOutDir: true,
    target: targetsOf(oldestForExit),
    cssTarget: targetsOf(oldest),
    cssCodeSplit: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: `${import.meta.dirname}/exit.html`, output: { codeSplitting: false } },
  },
})
