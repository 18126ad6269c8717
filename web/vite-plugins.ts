import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** The texts of the default language, which the first screen waits for. */
const INITIAL_TEXTS = 'src/shell/initial-texts/tw.ts'

/** Fetches them beside the main file instead of after it. */
export const preloadInitialTexts: Plugin = {
  name: 'preload-initial-texts',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk')
      const texts = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(INITIAL_TEXTS) === true)
      if (texts === undefined) return []
      const attrs = { rel: 'modulepreload', crossorigin: true, href: `/${texts.fileName}` }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
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
