import { hash } from 'node:crypto'

/**
 * Hashes of the inline scripts of the built page, for its content policy: what the build has put there may run, and nothing that
 * anybody adds.
 */
export const inlineScripts = (page: string): string[] =>
  [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, code = '']) => `sha256-${hash('sha256', code, 'base64')}`)
