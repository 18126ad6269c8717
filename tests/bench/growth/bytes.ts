import type { Database } from '@candela/server/db/open'
import { sql } from 'kysely'
import { print } from '../support/figures.ts'

/** Tables and indexes of the journal, partitions summed, in bytes for each entry. */
export async function printBytes(db: Database, entries: number): Promise<void> {
  const { rows } = await sql<{ name: string; bytes: bigint }>`
    with recursive part as (
      select c.oid, c.relname::text as name from pg_class c
      where c.relname in ('ledger_entry', 'ledger_posting') and c.relnamespace = 'public'::regnamespace
      union all
      select i.inhrelid, part.name from pg_inherits i join part on part.oid = i.inhparent
    ),
    sized as (
      select name, 'table' as what, pg_table_size(oid) as bytes from part
      union all
      -- The columns name an index: in each partition it has another name.
      select name, 'index (' || (select string_agg(a.attname, ', ' order by k.no) from unnest(x.indkey) with ordinality k(attnum, no)
          join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.attnum) || ')', pg_relation_size(x.indexrelid)
      from part join pg_index x on x.indrelid = part.oid
    )
    select name || ', ' || what as name, sum(bytes)::bigint as bytes from sized group by 1 order by 1`.execute(db)
  let total = 0
  for (const { name, bytes } of rows) {
    total += Number(bytes)
    print(
      `  ${name}: ${(Number(bytes) / entries).toFixed(1)} bytes an entry, ${(Number(bytes) / 2 ** 20).toFixed(0)} MB`,
    )
  }
  print(`  together ${(total / entries).toFixed(0)} bytes an entry`)
}
