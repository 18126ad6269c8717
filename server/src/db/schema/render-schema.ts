import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../open.ts'
import { queryRows } from '../query-rows.ts'
import { type TableName, tableOwners } from './table-owners.ts'

const tableRow = z.object({
  name: z.string(),
  isView: z.boolean(),
  about: z.string().nullable(),
  columns: z.number(),
  keys: z.array(z.string()),
  /** "column → table", in the order of the columns. */
  references: z.array(z.string()),
})
type Table = z.output<typeof tableRow>

const COLUMNS = 5
const WIDTH = 300
const GAP = 16
const LINE = 15
const HEAD = 30

/** Draws the tables of a migrated database as an SVG: by owner, each with its primary key and the tables that it refers to. */
export async function renderSchema(db: Database): Promise<string> {
  const tables = await readTables(db)
  const owners = [...new Set(tables.map(({ name }) => tableOwners[name as TableName]))].toSorted()
  const heights = Array.from({ length: COLUMNS }, () => GAP)
  const drawn = owners.map((owner) => {
    const own = tables.filter(({ name }) => tableOwners[name as TableName] === owner)
    const column = heights.indexOf(Math.min(...heights))
    const x = GAP + column * (WIDTH + GAP)
    let y = heights[column] ?? 0
    const lines = [`<text class="owner" x="${x}" y="${y + 14}">${owner}</text>`]
    y += HEAD - 8
    for (const table of own) {
      lines.push(drawTable(table, x, y))
      y += heightOf(table) + 6
    }
    heights[column] = y + GAP
    return lines.join('\n')
  })
  const [width, height] = [GAP + COLUMNS * (WIDTH + GAP), Math.max(...heights)]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>The tables of Candela's database, by the folder that writes them</title>
<style>text { font: 12px system-ui, sans-serif; fill: #17140f } .owner { font-size: 14px; font-weight: 700; fill: #8a5a00 } .name { font-weight: 700 }
.more { fill: #6f675c } rect { fill: #fff; stroke: #d8d0c2 } .view rect { stroke-dasharray: 4 3 }</style>
<rect width="${width}" height="${height}" style="fill: #faf7f1; stroke: none"/>
${drawn.join('\n')}
</svg>
`
}

const linesOf = ({ keys, references, columns }: Table): string[] => [
  ...(keys.length === 0 ? [] : [`key: ${keys.join(', ')}`]),
  ...references,
  `${columns} columns`,
]
const heightOf = (table: Table): number => HEAD + linesOf(table).length * LINE - 4

function drawTable(table: Table, x: number, y: number): string {
  const lines = linesOf(table).map(
    (line, at) => `<text class="more" x="${x + 10}" y="${y + 33 + at * LINE}">${escape(line)}</text>`,
  )
  const title = table.about === null ? '' : `<title>${escape(table.about)}</title>`
  return `<g${table.isView ? ' class="view"' : ''}>${title}<rect x="${x}" y="${y}" width="${WIDTH}" height="${heightOf(table)}" rx="5"/><text class="name" x="${x + 10}" y="${y + 18}">${table.name}</text>${lines.join('')}</g>`
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Partitions are left out: they are made ahead of need. */
const readTables = (db: Database): Promise<Table[]> =>
  queryRows(
    db,
    tableRow,
    sql`
    select c.relname as name, c.relkind = 'v' as "isView", obj_description(c.oid, 'pg_class') as about,
      (select count(*)::int4 from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
      coalesce((select array_agg(a.attname::text order by array_position(k.conkey, a.attnum)) from pg_constraint k
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.conkey) where k.conrelid = c.oid and k.contype = 'p'), '{}') as keys,
      coalesce((select array_agg(r.line order by r.line) from (
        select distinct (select string_agg(a.attname, ', ' order by a.attnum) from pg_attribute a
            where a.attrelid = c.oid and a.attnum = any (k.conkey)) || ' → ' || t.relname as line
          from pg_constraint k join pg_class t on t.oid = k.confrelid
          where k.conrelid = c.oid and k.contype = 'f' and not t.relispartition) r), '{}') as "references"
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
      order by c.relname`,
  )
