import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Built files that hold any of the texts, by name or by content. */
export async function filesWith(marks: readonly string[], folder: 'dist' | 'dist-devnet'): Promise<string[]> {
  const root = path.join(import.meta.dirname, '../../../..', 'web', folder)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
  if (files.length < 5) throw new Error(`${root} holds no build of the web app`)
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const text = `${name}\n${await readFile(path.join(parentPath, name), 'utf8')}`
      return marks.filter((mark) => text.includes(mark)).map((mark) => `${name}: ${mark}`)
    }),
  )
  return found.flat()
}
