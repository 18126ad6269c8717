import { accessSync, constants, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The project's own folder. */
export const root = join(import.meta.dirname, '..')

/**
 * The builds of a start are kept in this folder: the project's, or, where that cannot be written to, one under `DATA_DIR`, from which
 * the packages are found as well.
 */
export const buildsFolder = ((): string => {
  try {
    accessSync(root, constants.W_OK)
    return root
  } catch {
    const folder = resolve(process.env['DATA_DIR'] ?? '.data', 'builds')
    mkdirSync(folder, { recursive: true })
    if (!existsSync(join(folder, 'node_modules'))) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    return folder
  }
})()
