import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The tree as the tests of its structure see it. Paths are relative to the root, with forward slashes. */

export const root = path.join(import.meta.dirname, '../../..')

/** A line of a `.gitignore`, as git reads it: below its folder, and at any depth unless a slash is inside it. */
type Ignored = { folder: string; pattern: string; onlyFolders: boolean }

/** @throws on "!", which no `.gitignore` here has */
export function ignoredBy(folder: string, lines: string): Ignored[] {
  return lines.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return []
    if (line.startsWith('!')) throw new Error(`${folder}/.gitignore takes something back: ${line}`)
    const name = line.replace(/\/$/, '')
    const pattern = name.includes('/') ? name.replace(/^\//, '') : `**/${name}`
    return [{ folder, pattern, onlyFolders: line.endsWith('/') }]
  })
}

/** Every file that git has or would take. The tree is walked, so that it need not be a clone. */
export function filesBelow(top: string, folder = '', above: readonly Ignored[] = []): string[] {
  const own = path.join(top, folder, '.gitignore')
  const ignored = existsSync(own) ? [...above, ...ignoredBy(folder, readFileSync(own, 'utf8'))] : above
  return readdirSync(path.join(top, folder), { withFileTypes: true }).flatMap((entry) => {
    const place = path.posix.join(folder, entry.name)
    const isIgnored = ignored.some(
      ({ folder: from, pattern, onlyFolders }) =>
        (entry.isDirectory() || !onlyFolders) && path.posix.matchesGlob(path.posix.relative(from, place), pattern),
    )
    // A work tree has a file of this name.
    if (isIgnored || entry.name === '.git') return []
    return entry.isDirectory() ? filesBelow(top, place, ignored) : [place]
  })
}

export const tracked = filesBelow(root).toSorted()

/** The root folder `testing/` counts as code: `npm start` uses parts of it. */
export const isTest = (file: string): boolean => /\.test\.tsx?$|\/(test|testing[^/]*)(\/|\.ts$)/.test(file)
export const sources = tracked.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('protocol/abi/'))
export const code = sources.filter((file) => !isTest(file))

export const text = (file: string): string => readFileSync(path.join(root, file), 'utf8')
export const under = (folder: string) => (file: string) => file.startsWith(`${folder}/`)

const specifiersOf = (file: string): string[] =>
  [...text(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) => specifier)

const targetOf = (file: string, specifier: string): string => path.posix.join(path.posix.dirname(file), specifier)

/** The imports that are written as a path from the file, as paths in this tree. */
export const relativeImportsOf = (file: string): string[] =>
  specifiersOf(file).flatMap((specifier) => (specifier.startsWith('.') ? [targetOf(file, specifier)] : []))

/** The folder that a workspace exports, where that is not the folder of its name. */
const FOLDERS: Readonly<Record<string, string>> = {
  server: 'server/src',
  journeys: 'tests/journeys',
  bench: 'tests/bench',
}

/** Static and dynamic imports, types included, as a path in this tree ("server/src/db/open.ts") or a package's name. */
export function importsOf(file: string): string[] {
  return specifiersOf(file).map((specifier) => {
    if (specifier.startsWith('.')) return targetOf(file, specifier)
    const own = /^@candela\/([a-z]+)\/(.+)$/.exec(specifier)
    if (!own) return specifier
    const [, workspace, rest] = own as unknown as [string, string, string]
    const folder = FOLDERS[workspace] ?? workspace
    return `${folder}/${rest.endsWith('.ts') ? rest : `${rest}.ts`}`
  })
}
