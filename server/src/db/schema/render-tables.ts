import { sql } from 'kysely'
import { z } from 'zod'
import { must } from '../../kernel/assert.ts'
import type { Database } from '../open.ts'
import { queryRows } from '../query-rows.ts'
import { narrowColumns, narrowTypes, nullableInViews } from './narrow-columns.ts'
import { type TableName, tableOwners } from './table-owners.ts'

/** A column as Postgres' catalogue has it. */
const columnRow = z.object({
  table: z.string(),
  kind: z.enum(['r', 'p', 'v']),
  about: z.string().nullable(),
  name: z.string(),
  type: z.string(),
  notNull: z.boolean(),
  /** Postgres alone gives the value: an identity, or computed from other columns. */
  always: z.boolean(),
  hasDefault: z.boolean(),
  /** Values of an enumeration, in their order. */
  labels: z.array(z.string()).nullable(),
  /** Texts that a check of this column alone allows. */
  allowed: z.array(z.string()).nullable(),
  comment: z.string().nullable(),
})
type Column = z.output<typeof columnRow>

// As the driver is told in `open.ts`.
const types: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'bigint',
  jsonb: 'unknown',
  numeric: 'bigint',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
}

/**
 * The row types of a migrated database: the text of each file in `db/tables`, by its name.
 * @throws when a table has no owner, or a narrowed column or an owned table does not exist
 */
export async function renderTables(db: Database): Promise<Map<string, string>> {
  const columns = await readColumns(db)
  refuseUnknown(columns)
  const files = new Map<string, Column[]>()
  for (const column of columns) {
    const owner = must(ownerOf(column.table), `table ${column.table} has an owner in table-owners.ts`)
    const file = `${owner.split('/').at(-1)}.ts`
    files.set(file, [...(files.get(file) ?? []), column])
  }
  const texts = [...files].map(([file, own]) => [file, renderFile(file, own)] as const)
  return new Map([...texts, ['index.ts', renderIndex([...files.keys()])]])
}

const ownerOf = (table: string): string | undefined =>
  Object.hasOwn(tableOwners, table) ? tableOwners[table as TableName] : undefined

async function readColumns(db: Database): Promise<Column[]> {
  return queryRows(
    db,
    columnRow,
    sql`
    select c.relname as table, c.relkind as kind, obj_description(c.oid, 'pg_class') as about, a.attname as name,
      t.typname as type, a.attnotnull as "notNull", a.attidentity = 'a' or a.attgenerated <> '' as always, a.atthasdef as "hasDefault",
      (select array_agg(enumlabel::text order by enumsortorder) from pg_enum where enumtypid = t.oid) as labels,
      (select array_agg(found[1]) from pg_constraint k, regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''::text', 'g') found
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] and t.typname = 'text'
          and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\([a-z_]+ = ANY \\(ARRAY\\[') as allowed,
      col_description(c.oid, a.attnum) as comment
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
    order by c.relname, a.attnum`,
  )
}

function refuseUnknown(columns: readonly Column[]): void {
  const known = new Set(columns.flatMap(({ table, name }) => [table, `${table}.${name}`]))
  const named = [...Object.keys(tableOwners), ...Object.keys(narrowColumns), ...nullableInViews]
  const unknown = named.filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Error(`the database does not have ${unknown.join(', ')}`)
}

function renderFile(file: string, columns: readonly Column[]): string {
  const tables = Map.groupBy(columns, ({ table }) => table)
  const bodies = [...tables].map(([table, own]) => renderTable(table, own))
  const enums = Map.groupBy(
    columns.filter(({ labels }) => labels !== null),
    ({ type }) => type,
  )
  const unions = [...enums].map(([type, [column]]) => `export type ${pascal(type)} = ${union(column?.labels ?? [])}\n`)
  const body = bodies.join('')
  const used = Object.entries(narrowTypes).filter(([name]) => hasWord(body, name))
  const written = used.flatMap(([name, type]) => ('is' in type ? [`export type ${name} = ${type.is}\n`] : []))
  const area = pascal(file.replace('.ts', ''))
  return [
    GENERATED,
    ...renderImports(body, used),
    ...[...unions, ...written].map((line) => `\n${line}`),
    `\nexport type ${area}Tables = {\n${body}}\n`,
  ].join('')
}

const GENERATED = '// Generated from the migrated schema by `npm run tables`; its comments are those of the database.\n'

function renderImports(body: string, used: readonly [string, { from: string } | { is: string }][]): string[] {
  const kysely = ['ColumnType', 'Generated', 'GeneratedAlways'].filter((name) => hasWord(body, name))
  const imported = Map.groupBy(
    [
      ...used.flatMap(([name, type]) => ('from' in type ? [{ name, from: type.from }] : [])),
      ...kysely.map((name) => ({ name, from: 'kysely' })),
    ],
    ({ from }) => from,
  )
  // Packages before files of our own.
  return [...imported.keys()]
    .toSorted((a, b) => Number(a.startsWith('.')) - Number(b.startsWith('.')) || (a < b ? -1 : 1))
    .map((from) => `import type { ${(imported.get(from) ?? []).map(({ name }) => name).join(', ')} } from '${from}'\n`)
}

function renderTable(table: string, columns: readonly Column[]): string {
  const about = columns[0]?.about ?? null
  const lines = columns.map((column) => `${renderComment(column.comment, 4)}    ${column.name}: ${typeOf(column)}\n`)
  return `${renderComment(about, 2)}  ${table}: {\n${lines.join('')}  }\n`
}

const hasWord = (text: string, word: string): boolean => text.split(/\W+/).includes(word)

const quoted = (text: string): string => `'${text}'`

const renderComment = (text: string | null, indent: number): string =>
  text === null ? '' : `${' '.repeat(indent)}/** ${text} */\n`

function typeOf(column: Column): string {
  const { table, kind, name, type, labels, allowed } = column
  const narrow = narrowColumns[`${table}.${name}`]
  const base =
    narrow ??
    (labels !== null
      ? pascal(type)
      : allowed !== null
        ? union(allowed)
        : must(types[type], `the type ${type} of ${table}.${name} is known to render-tables.ts`))
  const isNullable = kind === 'v' ? nullableInViews.has(`${table}.${name}`) : !column.notNull
  // `unknown` has null in it already.
  const full = isNullable && base !== 'unknown' ? `${base} | null` : base
  if (column.always) return `GeneratedAlways<${full}>`
  return column.hasDefault ? `Generated<${full}>` : full
}

const union = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(' | ')

const pascal = (name: string): string => name.replace(/(?:^|[_-])(\w)/g, (_match, first: string) => first.toUpperCase())

function renderIndex(files: readonly string[]): string {
  const areas = files.toSorted().map((file) => ({ file, name: `${pascal(file.replace('.ts', ''))}Tables` }))
  const imports = areas.map(({ file, name }) => `import type { ${name} } from ${quoted(`./${file}`)}\n`)
  const list = areas.map(({ name }) => `    ${name}`).join(',\n')
  return `${GENERATED}${imports.join('')}\n/** Every table and view as kysely sees it. */\nexport interface Tables\n  extends\n${list} {}\n`
}
