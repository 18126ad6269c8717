import { describe, expect, test } from 'vitest'
import { code, importsOf, text, under } from './source-files.ts'

/** What is passed in where an import would do: a reader who follows a call loses it there. */

const server = code.filter(under('server/src'))

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

/** What stands between a brace that has just been opened and its end. */
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

  test('are only time, ids, RPC and keys', () => {
    const found = server.flatMap((file) =>
      functionFields(file, withoutComments(text(file)), (name) => functionTypes.has(name)),
    )
    expect(found).toEqual([])
  })
})

test('main has few arrows into modules', () => {
  const arrows = server
    .filter(under('server/src/main'))
    .flatMap((file) => importsOf(file).filter(under('server/src/modules')))
  expect(arrows.length).toBeGreaterThan(10)
  expect(arrows.length).toBeLessThanOrEqual(45)
})
