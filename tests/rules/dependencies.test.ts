import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

/** The rules for what we take from others: under which licences, from where, and that nothing of it can change unseen. */

const root = path.join(import.meta.dirname, '..', '..')
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'))

type Manifest = {
  workspaces?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
type Locked = { version?: string; license?: string; link?: boolean; resolved?: string; integrity?: string }

const manifest = read('package.json') as Manifest
const workspaces = manifest.workspaces ?? []
const lock = read('package-lock.json') as { packages: Record<string, Locked> }
const installed = Object.entries(lock.packages).filter(([place, { link }]) => place.includes('node_modules/') && !link)
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Licences that let us distribute the whole without opening more than it is, and ask for no more than their text. */
const permissive = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Python-2.0',
])

/** Packages under other terms, each with why we may use it as we do. */
const considered: Record<string, { license: string | undefined; why: string }> = {
  '@uniswap/lib': { license: 'GPL-3.0-or-later', why: 'compiled code, put on the development chain, unchanged' },
  '@uniswap/v2-core': { license: 'GPL-3.0-or-later', why: 'compiled code, put on the development chain, unchanged' },
  '@uniswap/v2-periphery': {
    license: 'GPL-3.0-or-later',
    why: 'compiled code, put on the development chain, unchanged',
  },
  'axe-core': { license: 'MPL-2.0', why: 'runs in a benchmark, unchanged, distributed with nothing' },
  lightningcss: { license: 'MPL-2.0', why: 'runs in the build, unchanged, distributed with nothing' },
  memorystream: { license: undefined, why: 'MIT by the file LICENSE in it; its manifest uses an old form' },
}
const consideredFor = (name: string) => considered[name.startsWith('lightningcss-') ? 'lightningcss' : name]

/** An SPDX expression of alternatives, "(MIT OR CC0-1.0)", of which one that suits is enough, or of several that hold together. */
const isPermissive = (license = '') =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((one) => one.split(' AND ').every((each) => permissive.has(each)))

describe('dependencies', () => {
  test('are under licences that were agreed to', () => {
    const odd = installed
      .map(([place, { license }]) => ({ name: nameOf(place), license }))
      .filter(({ name, license }) => !isPermissive(license) && consideredFor(name)?.license !== license)
    expect(odd).toEqual([])
    const names = new Set(installed.map(([place]) => nameOf(place)))
    expect(Object.keys(considered).filter((name) => !names.has(name))).toEqual([])
  })

  test('come from the registry, each with the hash of what was looked at', () => {
    const unpinned = installed.filter(
      ([, { resolved, integrity }]) => !integrity?.startsWith('sha512-') || (resolved && !resolved.endsWith('.tgz')),
    )
    expect(unpinned.map(([place]) => place)).toEqual([])
  })

  test('are asked for in exact versions', () => {
    const loose = ['.', ...workspaces].flatMap((folder) => {
      const { dependencies, devDependencies, optionalDependencies } = read(`${folder}/package.json`) as Manifest
      return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
        .filter(([name, range]) => !name.startsWith('@candela/') && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range))
        .map(([name, range]) => `${folder}: ${name} ${range}`)
    })
    expect(loose).toEqual([])
  })
})
