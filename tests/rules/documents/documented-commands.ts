import { readdirSync } from 'node:fs'
import path from 'node:path'
import { read } from '../support/citations.ts'

/** The commands that documents tell people to type. */

export const root = path.join(import.meta.dirname, '..', '..', '..')
/** Not the decisions, which lie in a folder and tell what was tried, nor the copy of the verifier, which runs apart from the project. */
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'contracts/README.md',
  'deploy/README.md',
  ...['operate', 'understand', 'reference'].flatMap((folder) =>
    readdirSync(path.join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`),
  ),
]
export const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const text = documents.map((file) => read(file)).join('\n')
/** Code between backticks, and lines of blocks. */
export const code = [...text.matchAll(/^```[^]*?^```|`[^`\n]+`/gm)].map(([part]) => part).join('\n')
export const named = (pattern: RegExp) =>
  [...new Set([...code.matchAll(pattern)].map(([, name = '']) => name))].toSorted()

export const npmScripts = named(
  /\bnpm (?:run (?:--silent )?)?((?!run\b|ci\b|audit\b|install\b|prune\b|sbom\b)[a-z][\w:-]*)/g,
)
export const programs = named(/\bnpx node ([\w/-]+\.ts)/g)
/** The program that a script of package.json runs last: it gets the flags. */
const programOf = (script: string) => /node ([\w/.-]+\.ts)(?: && [\w ./-]+)?$/.exec(scripts[script] ?? '')?.[1]
/** Forge has its own help, and takes long to print it for the first time. */
export const withHelp = [...programs, ...npmScripts.flatMap((name) => programOf(name) ?? [])].filter(
  (file, nth, all) => all.indexOf(file) === nth && file !== 'contracts/forge.ts',
)
