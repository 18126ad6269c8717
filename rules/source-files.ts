import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The tree as the tests of its structure see it. Paths are relative to the root, with forward slashes. */

export const root = path.join(import.meta.dirname, '..')

/** Every file that git has or would take. */
export const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)))

/** The root folder `testing/` counts as code: `npm start` uses parts of it. */
export const isTest = (file: string): boolean => /\.test\.tsx?$|\/(test|testing[^/]*)(\/|\.ts$)/.test(file)
export const sources = tracked.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('protocol/abi/'))
export const code = sources.filter((file) => !isTest(file))

export const text = (file: string): string => readFileSync(path.join(root, file), 'utf8')
export const under = (folder: string) => (file: string) => file.startsWith(`${folder}/`)

const specifiersOf = (file: string): string[] =>
  [...text(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) => specifier)

const targetOf = (file: string, specifier: string): string => path.posix.join(path.posix.dirname(file), specifier)

/** Those that are written as a path from the file, as paths in this tree. */
export const relativeImportsOf = (file: string): string[] =>
  specifiersOf(file).flatMap((specifier) => (specifier.startsWith('.') ? [targetOf(file, specifier)] : []))

/** Static and dynamic imports, types included, as a path in this tree ("server/src/db/open.ts") or a package's name. */
export function importsOf(file: string): string[] {
  return specifiersOf(file).map((specifier) => {
    if (specifier.startsWith('.')) return targetOf(file, specifier)
    const own = /^@candela\/([a-z]+)\/(.+)$/.exec(specifier)
    if (!own) return specifier
    const [, workspace, rest] = own as unknown as [string, string, string]
    const folder = workspace === 'server' ? 'server/src' : workspace
    return `${folder}/${rest.endsWith('.ts') ? rest : `${rest}.ts`}`
  })
}
