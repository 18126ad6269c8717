import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

/** The texts of the default language, which the first screen waits for. */
const FIRST_TEXTS = 'src/i18n/tw/catalog.ts'

/** Fetches them beside the main file instead of after it. */
const preloadFirstTexts: Plugin = {
  name: 'preload-first-texts',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk')
      const texts = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(FIRST_TEXTS) === true)
      if (texts === undefined) return []
      const attrs = { rel: 'modulepreload', crossorigin: true, href: `/${texts.fileName}` }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  },
}

/**
 * Two builds of the same source. `production` (the default of `vite build`) speaks through the envelope and holds no
 * demo wallet; `devnet` speaks to the plain routes, logs its requests and brings the demo wallet. The source asks
 * `import.meta.env.MODE`, which is replaced by a constant, so what a build does not want is not in its files.
 */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), preloadFirstTexts],
  build: {
    outDir: mode === 'devnet' ? 'dist-devnet' : 'dist',
    emptyOutDir: true,
    // A strict content security policy has no room for data: fonts or scripts; small pictures stay files as well.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
}))
