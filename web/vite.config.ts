import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * Two builds of the same source. `production` (the default of `vite build`) speaks through the envelope and holds no
 * demo wallet; `devnet` speaks to the plain routes, logs its requests and brings the demo wallet. The source asks
 * `import.meta.env.MODE`, which is replaced by a constant, so what a build does not want is not in its files.
 */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), compressed()],
  build: {
    outDir: mode === 'devnet' ? 'dist-devnet' : 'dist',
    emptyOutDir: true,
    // A strict content security policy has no room for data: fonts or scripts; small pictures stay files as well.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
}))

/** Lays `.br` and `.gz` beside every text, because the server compresses nothing itself: a phone waits for bytes. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const texts = Object.keys(bundle).filter((name) => /\.(?:js|css|html|svg)$/.test(name))
      await Promise.all(
        texts.map(async (name) => {
          const file = path.join(dir, name)
          const text = await readFile(file)
          await writeFile(`${file}.br`, await promisify(brotliCompress)(text))
          await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }))
        }),
      )
    },
  }
}
