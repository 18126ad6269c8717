import { z } from 'zod'
import type { Texts } from './described.ts'
import { named } from './areas.ts'
import { everywhere } from './shared.ts'

export type Json = { [key: string]: unknown }

const registry = z.registry<{ id: string }>()
for (const [id, { schema }] of Object.entries(named)) registry.add(schema, { id })

/** A schema as JSON, with references to those that stand once, and those it refers to by their names. */
function split(type: z.ZodType): { schema: Json; parts: Json } {
  const {
    $schema: _,
    $defs = {},
    id: __,
    ...schema
  } = z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    metadata: registry,
  }) as Json
  return { schema: withReferences(schema) as Json, parts: withReferences($defs) as Json }
}

function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => name !== 'id' || typeof value[name as never] !== 'string')
  return Object.fromEntries(
    entries.map(([name, inner]) => [
      name,
      name === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : withReferences(inner),
    ]),
  )
}

/** Paths of properties without a text, and texts that no property has: both empty, or a test fails. */
export type Faults = { missing: string[]; unused: string[] }

/** Adds to each property its text. */
function describe(schema: Json, texts: Texts, at: string, faults: Faults): Json {
  const used = new Set<string>()
  const walk = (part: unknown, path: string): unknown => {
    if (Array.isArray(part)) return part.map((one) => walk(one, path))
    if (typeof part !== 'object' || part === null) return part
    const { properties, ...rest } = part as Json
    const inner = Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [
        key,
        ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf'].includes(key) ? walk(value, path) : value,
      ]),
    )
    const { prefixItems } = inner
    // A tuple has as many parts as it names; some tools know no list without `items`.
    if (Array.isArray(prefixItems))
      Object.assign(inner, { items: {}, minItems: prefixItems.length, maxItems: prefixItems.length })
    if (properties === undefined) return inner
    const described = Object.entries(properties as Json).map(([name, property]) => {
      const own = path === '' ? name : `${path}.${name}`
      used.add(own)
      const text = texts[own] ?? everywhere[name]
      if (text === undefined) faults.missing.push(`${at}: ${own}`)
      return [name, { ...(walk(property, own) as Json), description: text }]
    })
    return { ...inner, properties: Object.fromEntries(described) }
  }
  const result = walk(schema, '') as Json
  faults.unused.push(
    ...Object.keys(texts)
      .filter((path) => !used.has(path))
      .map((path) => `${at}: ${path}`),
  )
  return result
}

/** The schema of an input or of data, as it travels: texts before they are parsed, and data as JSON. */
export const schemaOf = (type: z.ZodType, texts: Texts, at: string, faults: Faults): Json =>
  describe(split(type).schema, texts, at, faults)

/** The schemas that stand once, by their names. */
export function componentSchemas(faults: Faults): Json {
  return Object.fromEntries(
    Object.entries(named).map(([id, { schema, text, properties = {} }]) => {
      // Alone it would be inlined: in a list it becomes a part.
      const part = split(z.array(schema)).parts[id] as Json | undefined
      if (part === undefined) throw new Error(`no schema of the name ${id}`)
      return [id, { ...describe(part, properties, id, faults), description: text }]
    }),
  )
}
