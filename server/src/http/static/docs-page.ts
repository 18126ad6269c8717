import type { FastifyInstance } from 'fastify'
import type { HeaderLines } from '../headers/security-headers.ts'
import { openApiPage, pageStyle } from '../../api/openapi-page.ts'
import { openApiDocument } from '../../api/openapi.ts'

/**
 * The API's documentation, from the same table that answers calls: a page without scripts, and the document for tools.
 */
export function addDocs(app: FastifyInstance, headers: HeaderLines): void {
  // Both are made at the first request and kept, because the table does not change.
  const page = once(() =>
    openApiPage('<link rel="stylesheet" href="/docs/style.css"><link rel="alternate" href="/docs/openapi.json">'),
  )
  const document = once(openApiDocument)
  app.get('/docs', (_request, reply) => reply.headers(headers).type('text/html; charset=utf-8').send(page()))
  app.get('/docs/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(pageStyle))
  app.get('/docs/openapi.json', (_request, reply) => reply.send(document()))
}

function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
