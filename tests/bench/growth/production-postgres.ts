/**
 * Reads what production tells Postgres of memory, checkpoints and vacuum, from the template of deploy/. Compression is left as it is:
 * npm's Postgres has no lz4.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const value = z.union([z.string(), z.number()])
const template = z.object({
  bootstrap: z.object({
    dcs: z.object({
      postgresql: z.object({
        parameters: z.object({
          shared_buffers: value,
          effective_cache_size: value,
          work_mem: value,
          maintenance_work_mem: value,
          checkpoint_timeout: value,
          checkpoint_completion_target: value,
          max_wal_size: value,
          min_wal_size: value,
          random_page_cost: value,
          jit: value,
          autovacuum_vacuum_scale_factor: value,
          autovacuum_vacuum_insert_scale_factor: value,
          autovacuum_analyze_scale_factor: value,
          autovacuum_naptime: value,
          autovacuum_max_workers: value,
          autovacuum_vacuum_cost_limit: value,
        }),
      }),
    }),
  }),
})

/** @throws Error when the template lacks one of them */
export async function productionPostgres(): Promise<Record<string, string | number>> {
  const text = await readFile(join(import.meta.dirname, '../../../deploy/postgres/patroni.yml'), 'utf8')
  return template.parse(parse(text)).bootstrap.dcs.postgresql.parameters
}
