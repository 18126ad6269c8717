import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The tree as the tests of its structure see it. Paths are relative to the root, with forward slashes. */

export const root = import.meta.dirname

/** Every file that git has or would take. */
export const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)))

export const isTest = (file: string): boolean => /\.test\.tsx?$|(^|\/)(test|testing[^/]*)(\/|\.ts$)/.test(file)
export const sources = tracked.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('protocol/abi/'))
export const code = sources.filter((file) => !isTest(file))

export const text = (file: string): string => readFileSync(path.join(root, file), 'utf8')
export const under = (folder: string) => (file: string) => file.startsWith(`${folder}/`)

/** Static and dynamic imports, types included, as a path in this tree ("server/src/db/open.ts") or a package's name. */
export function importsOf(file: string): string[] {
  const specifiers = text(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)
  return [...specifiers].map(([, specifier = '']) => {
    if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier)
    const own = /^@candela\/([a-z]+)\/(.+)$/.exec(specifier)
    if (!own) return specifier
    const [, workspace, rest] = own as unknown as [string, string, string]
    const folder = workspace === 'server' ? 'server/src' : workspace
    return `${folder}/${rest.endsWith('.ts') ? rest : `${rest}.ts`}`
  })
}
