import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { HeaderLines } from '../headers/security-headers.ts'

const YEAR_S = 31_536_000

/**
 * Serves the built web app. Files under `assets/` carry a hash of their content in their name and may be kept for ever;
 * everything else, above all `index.html`, is asked for again each time. `.br` and `.gz` beside a file are used, and are
 * no files of their own; source maps stay here. Pages get the lines of `page`.
 */
export async function serveWeb(app: FastifyInstance, webDist: string, page: HeaderLines): Promise<void> {
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
      // The only text whose character set is not said for us.
      if (/\.svg(?:\.br|\.gz)?$/.test(filePath)) reply.header('content-type', 'image/svg+xml; charset=utf-8')
      reply.header('cache-control', hashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
    },
  })
}
