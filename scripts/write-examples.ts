/** Writes the figures of the documents that have examples: run it when a computation has changed (`npm run examples`). */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { documents, fillFigures } from '@candela/protocol/lending/examples/document'
import { showHelp } from './usage.ts'

showHelp(import.meta.filename)

for (const document of documents) {
  const file = path.join(import.meta.dirname, '..', document)
  await writeFile(file, fillFigures(await readFile(file, 'utf8')))
}
