import { hash } from 'node:crypto'
import type { InlineHashes } from '../http/headers/security-headers.ts'

/**
 * Hashes of the inline scripts and style sheets of the built page, for its content policy: what the build has put there may be used,
 * and nothing that anybody adds.
 */
export const inlineHashes = (page: string): InlineHashes => ({
  scripts: hashesOf(page.matchAll(/<script>([^]*?)<\/script>/g)),
  styles: hashesOf(page.matchAll(/<style>([^]*?)<\/style>/g)),
})

const hashesOf = (found: Iterable<RegExpExecArray>): string[] =>
  Array.from(found, ([, text = '']) => `sha256-${hash('sha256', text, 'base64')}`)
