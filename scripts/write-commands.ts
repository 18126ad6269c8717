/** Writes the operator's commands into docs/operate/operations.md: run it when the table of commands has changed. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fillCommands } from '@candela/server/operator/table/document'
import { showHelp } from './usage.ts'

showHelp(import.meta.filename)

const file = path.join(import.meta.dirname, '..', 'docs', 'operate', 'operations.md')
await writeFile(file, fillCommands(await readFile(file, 'utf8')))
