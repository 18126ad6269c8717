/** Writes the figures of docs/understand/lending.md: run it when a computation has changed (`npm run examples`). */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fillFigures } from '@candela/protocol/lending/examples/document'
import { showHelp } from './usage.ts'

showHelp(import.meta.filename)

const file = path.join(import.meta.dirname, '..', 'docs', 'understand', 'lending.md')
await writeFile(file, fillFigures(await readFile(file, 'utf8')))
