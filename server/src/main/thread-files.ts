import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The files that threads begin with. They lie in one folder with this one, as sources and in a build. */
const fileOf = (name: string): string =>
  fileURLToPath(new URL(`${name}${path.extname(import.meta.url)}`, import.meta.url))

export const httpThread = fileOf('http-thread')
export const snapshotThread = fileOf('snapshot-thread')
