import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { SecurityHeaders } from '../headers/security-headers.ts'

const YEAR_S = 31_536_000

/**
 * Serves the built web app. Files under `assets/` have a hash of their content in their name and may be cached for ever;
 * everything else, above all `index.html`, is revalidated each time. A `.br` or `.gz` beside a file is sent in its place
 * and cannot be asked for by name; source maps are not served. Pages get the header lines of `page`, the service worker
 * those of `worker`.
 */
export async function serveWeb(
  app: FastifyInstance,
  webDist: string,
  { page, worker }: Pick<SecurityHeaders, 'page' | 'worker'>,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: webDist,
    // Looks each file up at start: a request cannot name a path that the build did not make.
    wildcard: false,
    globIgnore: ['**/*.{br,gz,map}'],
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, filePath) {
      const hashed = filePath.replaceAll('\\', '/').includes('/assets/')
      if (/\.html(?:\.br|\.gz)?$/.test(filePath)) reply.headers(page)
      if (/[/\\]sw\.js(?:\.br|\.gz)?$/.test(filePath)) reply.headers(worker)
      // @fastify/static adds the character set to every other kind of text.
      if (/\.svg(?:\.br|\.gz)?$/.test(filePath)) reply.header('content-type', 'image/svg+xml; charset=utf-8')
      reply.header('cache-control', hashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
    },
  })
}
