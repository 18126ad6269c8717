/** The files of deploy/ with the addresses of this machine. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const deploy = join(import.meta.dirname, '..', '..', 'deploy')

/** The text of a file of deploy/. */
export const readTemplate = (file: string): Promise<string> => readFile(join(deploy, file), 'utf8')

/** A file of deploy/ with replacements, in their order. @throws when one replaces nothing: the file has changed */
export async function fillTemplate(
  file: string,
  changes: readonly (readonly [pattern: RegExp, value: string])[],
): Promise<string> {
  return changes.reduce(
    (text, [pattern, value]) => {
      const changed = text.replace(pattern, value)
      if (changed === text) throw new Error(`deploy/${file} has nothing like ${pattern.source}`)
      return changed
    },
    await readTemplate(file),
  )
}

/** The variables of a file of systemd's EnvironmentFile kind. */
export async function readEnvironmentTemplate(file: string): Promise<Record<string, string>> {
  const lines = (await readTemplate(file)).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}
