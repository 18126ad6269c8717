/**
 * Writes the API's document for tools (`docs/openapi.json`) and for people (`docs/api.html`, one file that loads nothing) from the endpoint
 * table: `npm run openapi`. They are not kept in git; a development server serves both at `/docs`.
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openApiDocument } from '@candela/server/api/openapi'
import { openApiPage, pageStyle } from '@candela/server/api/openapi-page'
import { showHelp } from './usage.ts'

showHelp(import.meta.filename)

const docs = path.join(import.meta.dirname, '..', 'docs')
await writeFile(path.join(docs, 'openapi.json'), `${JSON.stringify(openApiDocument(), null, 2)}\n`)
await writeFile(path.join(docs, 'api.html'), openApiPage(`<style>${pageStyle}</style>`))
