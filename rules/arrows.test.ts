import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf, sources, tracked, under } from './source-files.ts'

/** Who may import whom inside the web, and that nothing anywhere imports in a circle. Tests and types count as well. */

const web = (folder: string) => under(`web/src/${folder}`)

/** From the ground up. `lib` is shared by all; `i18n`, `api` and `wallet` do not know each other. */
const order = [
  'ui',
  'navigation',
  'session',
  'command',
  'payment',
  'lending',
  'proof',
  'screens',
  'shell',
  'main',
] as const
/** Shows all pieces on a page of its own. */
const PIECES = { name: 'pieces', has: web('pieces'), mayImport: ['lib', 'i18n', 'texts', 'api', 'ui'] }
const ground: Record<string, readonly string[]> = {
  browser: [],
  lib: [],
  i18n: ['lib', 'texts'],
  // Their types alone: which keys there are.
  texts: ['i18n'],
  api: ['lib'],
  wallet: ['lib'],
}

type Room = { name: string; has: (file: string) => boolean; mayImport: readonly string[] }

const rooms: Room[] = [
  ...Object.entries(ground).map(([name, mayImport]) => ({ name, has: web(name), mayImport })),
  // A wallet of its own beside the app: only `main` starts it.
  { name: 'demo-wallet', has: web('demo-wallet'), mayImport: [] },
  PIECES,
  { name: 'service-worker', has: web('service-worker'), mayImport: ['lib'] },
  ...order.map((name, nth) => ({
    name,
    has: name === 'main' ? (file: string) => file === 'web/src/main.tsx' || web('exit-page')(file) : web(name),
    mayImport: [
      ...Object.keys(ground),
      ...order.slice(0, nth),
      ...(name === 'main' ? ['demo-wallet', 'pieces'] : []),
      ...(name === 'shell' || name === 'main' ? ['service-worker'] : []),
    ],
  })),
]

const inWeb = sources.filter(under('web/src'))
const roomOf = (file: string) => rooms.find((room) => room.has(file))
const screenOf = (file: string) => /^web\/src\/screens\/([^/]+)\//.exec(file)?.[1]

describe('inside the web', () => {
  test('every file is in a room', () => {
    expect(inWeb.filter((file) => roomOf(file) === undefined)).toEqual([])
  })

  test.each(rooms)('$name imports only what it may', (room) => {
    const files = inWeb.filter((file) => roomOf(file) === room)
    expect(files.length).toBeGreaterThan(0)
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .map((target) => ({ target, to: roomOf(target) }))
        .filter(({ to }) => to !== undefined && to !== room && !room.mayImport.includes(to.name))
        .map(({ target }) => `${file} → ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('no screen imports another screen', () => {
    const wrong = inWeb.flatMap((file) => {
      const own = screenOf(file)
      if (own === undefined) return []
      return importsOf(file)
        .filter((target) => web('screens')(target) && screenOf(target) !== own)
        .map((target) => `${file} → ${target}`)
    })
    expect(wrong).toEqual([])
  })
})

/** The first circle that is found from each file on, as the files on it. */
function circlesAmong(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const visit = (file: string, way: readonly string[]): void => {
    const at = way.indexOf(file)
    if (at !== -1) circles.push([...way.slice(at), file])
    if (at !== -1 || done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...way, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return circles
}

describe('circles', () => {
  test('are found', () => {
    const imports = new Map([
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', ['d']],
      ['d', ['b']],
    ])
    expect(circlesAmong(imports)).toEqual([['b', 'c', 'd', 'b']])
  })

  test.each(['protocol', 'client', 'server', 'web', 'devnet', 'testing'])('there is none in %s', (workspace) => {
    const files = sources.filter(under(workspace))
    expect(files.length).toBeGreaterThan(5)
    const circles = circlesAmong(new Map(files.map((file) => [file, importsOf(file)])))
    expect(circles.map((circle) => circle.join(' → '))).toEqual([])
  })
})

describe('folders', () => {
  const MAX_FILES = 20
  /** In the order of their numbers, or generated with an index: nothing in them is looked for by its name. Texts have a file for each area. */
  const listed = ['server/src/db/migrations', 'server/src/db/tables']
  test(`have at most ${MAX_FILES} files of their own`, () => {
    const counts = Map.groupBy(tracked, (file) => path.posix.dirname(file))
    expect(counts.size).toBeGreaterThan(100)
    const crowded = [...counts].filter(
      ([folder, files]) => files.length > MAX_FILES && !listed.includes(folder) && !folder.startsWith('web/src/texts/'),
    )
    expect(crowded.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([])
  })
})
