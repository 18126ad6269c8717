import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const YEAR_S = 31_536_000

/**
 * Serves the built web app. Files under `assets/` carry a hash of their content in their name and may be kept for ever;
 * everything else, above all `index.html`, is asked for again each time. `.br` and `.gz` beside a file are used.
 */
export async function serveWeb(app: FastifyInstance, webDist: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: webDist,
    // Looks each file up at start: a request cannot name a path that the build did not make.
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, filePath) {
      const hashed = filePath.replaceAll('\\', '/').includes('/assets/')
      reply.header('cache-control', hashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
    },
  })
}
