import { open, rename } from 'node:fs/promises'

/** Writes a file, with its content on the disk, so that a reader finds either all of it or the file from before. */
export async function writeFileAtomic(path: string, content: Buffer | string): Promise<void> {
  const temporary = `${path}.tmp`
  const file = await open(temporary, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}
