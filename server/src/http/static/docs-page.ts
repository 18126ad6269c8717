import { endpoints, type Key } from '@candela/protocol/endpoints'
import type { FastifyInstance } from 'fastify'
import type { HeaderLines } from '../headers/security-headers.ts'
import { errorCodesOf, openApiDocument } from '../../api/openapi.ts'

/**
 * The API's documentation, from the same table that answers calls: a page without scripts, and the document for tools.
 */
export function addDocs(app: FastifyInstance, headers: HeaderLines): void {
  // Both are made at the first request and kept, because the table does not change.
  const page = once(docsPage)
  const document = once(openApiDocument)
  app.get('/docs', (_request, reply) => reply.headers(headers).type('text/html; charset=utf-8').send(page()))
  app.get('/docs/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style))
  app.get('/docs/openapi.json', (_request, reply) => reply.send(document()))
}

function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function docsPage(): string {
  const sections = (Object.keys(endpoints) as Key[]).toSorted().map(sectionOf).join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Candela API</title><link rel="stylesheet" href="/docs/style.css">
<h1>Candela API</h1><p>Forms in, JSON out. Also as <a href="/docs/openapi.json">OpenAPI 3.1</a>.</p>${sections}</html>`
}

function sectionOf(key: Key): string {
  const { summary, auth, input } = endpoints[key]
  const fields = Object.entries(input.shape).map(([name, type]) => {
    const optional = type.safeParse(undefined).success
    return `<li><code>${escape(name)}</code>${optional ? ' (optional)' : ''}</li>`
  })
  return `<details id="${escape(key.replace(/^\w+ /, ''))}"><summary><code>${escape(key)}</code></summary>
<p>${escape(summary)}</p><p>${auth === 'session' ? 'Needs a session.' : 'Open to everybody.'}
Codes besides 200: ${errorCodesOf(key).join(', ')}.</p>${fields.length === 0 ? '' : `<ul>${fields.join('')}</ul>`}</details>`
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const style = `body { max-width: 760px; margin: 0 auto; padding: 24px; font: 16px/1.5 system-ui, sans-serif; color: #17140f }
summary { padding: 10px 0; cursor: pointer } details { border-bottom: 1px solid #e8e3da } code { font-size: 15px }`
