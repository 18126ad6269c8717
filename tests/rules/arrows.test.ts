import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { code, importsOf, sources, text, tracked, under } from './support/source-files.ts'

/**
 * The rules say who may import whom inside the web and among the server's modules, and that nothing anywhere imports in a circle. Tests
 * and types count as well.
 */

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

/** From the ground up: each may import those before it.. */
const modules = [
  'setting',
  'member',
  'notice',
  'command',
  'deposit',
  'transfer',
  'session',
  'income',
  'ranking',
  'power',
  'exchange',
  'fund',
  'lending/project',
  'lending/loan',
  'lending/lever',
  'lending',
  'reconcile',
  'withdraw',
  'crediting',
  'proof',
  'statement',
  'file',
  'home',
]

/** The place of its module; -1 for a file of a module that is not listed, undefined outside of modules. */
const floorOf = (file: string): number | undefined => {
  const [, module = '', part] = /^server\/src\/modules\/([^/]+)\/(?:([^/]+)\/)?/.exec(file) ?? []
  if (module === '') return undefined
  const ofPart = modules.indexOf(`${module}/${part}`)
  return ofPart === -1 ? modules.indexOf(module) : ofPart
}

describe('inside the server', () => {
  test('a module imports those before it, lending its parts likewise', () => {
    const wrong = code.flatMap((file) => {
      const own = floorOf(file)
      if (own === undefined) return []
      return importsOf(file)
        .filter((target) => (floorOf(target) ?? own) > own)
        .map((target) => `${file} → ${target}`)
    })
    expect(wrong).toEqual([])
    expect(code.filter((file) => floorOf(file) === -1)).toEqual([])
    expect(modules.filter((name) => !code.some(under(`server/src/modules/${name}`)))).toEqual([])
  })
})

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

/** A function that is passed in where an import would do loses a reader who follows a call. */

/** The product's own files of the server. */
const server = code.filter(under('server/src'))

/** The counts of today: they may fall, and not rise. */
const MAX_PASSED_IN = 14
const MAX_ARROWS = 36

/** Names of types that are functions: `export type Ask = (…) => …`. */
const functionTypes = new Set(
  server.flatMap((file) =>
    [...withoutComments(text(file)).matchAll(/^(?:export )?type (\w+)(?:<[^=]*>)? =\s*\(/gm)].map(
      ([, name = '']) => name,
    ),
  ),
)

/** Fields of `…Deps`, `…Parts` and `…Sources` that are functions, as "file: Type.field". Nested fields count as well. */
function functionFields(file: string, source: string, isFunctionType: (name: string) => boolean): string[] {
  const declarations = source.matchAll(/^(?:export )?(?:type|interface) (\w*(?:Deps|Parts|Sources))\b[^\n{]*\{/gm)
  return [...declarations].flatMap((declaration) => {
    const body = inBraces(source, declaration.index + declaration[0].length)
    return fieldsOf(body, isFunctionType).map((field) => `${file}: ${declaration[1]}.${field}`)
  })
}

function fieldsOf(body: string, isFunctionType: (name: string) => boolean): string[] {
  return membersOf(body).flatMap((member) => {
    const [, name = '', type = ''] = /^(?:readonly )?(\w+)\??(?:: |(?=[(<]))([\s\S]*)$/.exec(member) ?? []
    if (type.startsWith('{')) return fieldsOf(inBraces(type, 1), isFunctionType).map((field) => `${name}.${field}`)
    const isFunction = /^[(<]/.test(type) || /^typeof [a-z]/.test(type) || isFunctionType(/^\w+/.exec(type)?.[0] ?? '')
    return isFunction ? [name] : []
  })
}

/** Takes the text between a brace that has just been opened and its end. */
function inBraces(source: string, start: number): string {
  let depth = 1
  let end = start
  while (depth > 0 && end < source.length) {
    if (source[end] === '{') depth += 1
    if (source[end] === '}') depth -= 1
    end += 1
  }
  return source.slice(start, end - 1)
}

/** The members of an object type, one a line unless a type goes on in the next lines. */
function membersOf(body: string): string[] {
  const members: string[] = []
  let depth = 0
  let member = ''
  for (const sign of body) {
    if ('{(['.includes(sign)) depth += 1
    if ('})]'.includes(sign)) depth -= 1
    if (depth === 0 && (sign === '\n' || sign === ';')) {
      if (member.trim() !== '') members.push(member.trim())
      member = ''
    } else member += sign
  }
  return member.trim() === '' ? members : [...members, member.trim()]
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"])\/\/.*/g, '')
}

describe('functions passed in', () => {
  test('are found', () => {
    const source = `
export type OneDeps = {
  db: Database
  read: (db: Database) => Promise<{
    sum: bigint
  }>
  notify?: Notify
  nonces: { lock: (tx: Tx) => void; next: bigint }
  readPrices: typeof readPrices
}
type TwoParts = { ask(): void; name: string }
`
    expect(functionFields('f.ts', source, (name) => name === 'Notify')).toEqual([
      'f.ts: OneDeps.read',
      'f.ts: OneDeps.notify',
      'f.ts: OneDeps.nonces.lock',
      'f.ts: OneDeps.readPrices',
      'f.ts: TwoParts.ask',
    ])
  })

  test('are few: time, ids, RPC, keys, and what would turn the order of modules round', () => {
    // The threads of HTTP and the operators' command line have doors of their own: requests, terminals, key files.
    const found = server
      .filter((file) => /^server\/src\/(?:db|ledger|chain|modules|jobs|main)\//.test(file))
      .flatMap((file) => functionFields(file, withoutComments(text(file)), (name) => functionTypes.has(name)))
    expect(found.length).toBeLessThanOrEqual(MAX_PASSED_IN)
    expect(found).toContain('server/src/modules/transfer/make-transfer.ts: TransferDeps.verifySignature')
  })
})

test('main has few arrows into modules', () => {
  const arrows = server
    .filter(under('server/src/main'))
    .flatMap((file) => importsOf(file).filter(under('server/src/modules')))
  expect(arrows.length).toBeGreaterThan(10)
  expect(arrows.length).toBeLessThanOrEqual(MAX_ARROWS)
})
