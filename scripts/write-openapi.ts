/** Writes docs/openapi.json from the endpoint table, for tools (`npm run openapi`). It is not kept in git; a server serves it at `/docs/openapi.json`. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openApiDocument } from '@candela/server/api/openapi'
import { showHelp } from './usage.ts'

showHelp(import.meta.filename)

const file = path.join(import.meta.dirname, '..', 'docs', 'openapi.json')
await writeFile(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`)
