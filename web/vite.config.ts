import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { oldest, syntax, targetsOf } from './browsers.ts'
import {
  compressedCopies,
  knownChain,
  olderBrowsers,
  preloadInitialTexts,
  serviceWorker,
  sharePicture,
  firstPaint,
} from './vite-plugins.ts'

/**
 * Two builds of the same source. `production` (the default of `vite build`) speaks through the envelope and holds no
 * demo wallet; `devnet` speaks to the plain routes, logs its requests and brings the demo wallet. The source asks
 * `import.meta.env.MODE`, which is replaced by a constant, so what a build does not want is not in its files.
 */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  base: '/',
  plugins: [
    react(),
    knownChain,
    preloadInitialTexts,
    olderBrowsers,
    firstPaint,
    sharePicture,
    serviceWorker,
    // No person waits for the network of a development build, and compressing takes longer than the rest of it.
    mode !== 'devnet' && compressedCopies,
  ],
  build: {
    outDir: mode === 'devnet' ? 'dist-devnet' : 'dist',
    emptyOutDir: true,
    target: syntax,
    cssTarget: targetsOf(oldest),
    // A strict content security policy has no room for data: fonts or scripts; small pictures stay files as well.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The first load is one file: split where lazy screens share it, it compresses worse.
        codeSplitting: { groups: [{ name: 'initial', tags: ['$initial'] }] },
        // The first load names every other file, and hashes do not compress: seven characters tell builds apart as well as eight.
        // The first texts are named by their language.
        chunkFileNames: ({ facadeModuleId }) => {
          const language = /\/texts\/(\w+)\/initial\.ts$/.exec(facadeModuleId ?? '')?.[1]
          return `assets/${language ?? '[name]'}-[hash:7].js`
        },
        entryFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
      // Nothing is logged in production but what went wrong, by libraries neither.
      ...(mode !== 'devnet' && {
        treeshake: { manualPureFunctions: ['console.log', 'console.info', 'console.debug'] },
      }),
    },
  },
}))
