import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * The folder of the npm package that has a program for one system and processor. Each of them is an optional dependency of the
 * workspace that uses the program: npm installs the one that fits.
 * @param manifest the path of that workspace's `package.json`
 * @param name the package for this machine
 * @throws an error that tells a system without such a package from one where it is not installed
 */
export function platformPackage(manifest: string, name: string): string {
  const require = createRequire(manifest)
  const { optionalDependencies = {} } = require(manifest) as { optionalDependencies?: Record<string, string> }
  if (!Object.hasOwn(optionalDependencies, name)) {
    throw new Error(`There is no package ${name}: this system (${process.platform} ${process.arch}) is not supported`)
  }
  // Not by `require.resolve`: some of these packages hide their `package.json`.
  const places = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name))
  const installed = places.find((folder) => existsSync(folder))
  if (installed !== undefined) return installed
  throw new Error(`${name} is not installed: run "npm ci" on this machine, and not with --omit=optional`)
}
