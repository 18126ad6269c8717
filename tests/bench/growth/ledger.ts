/** A ledger of one size in a database of its own, with the settings of production. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { sql } from 'kysely'
import { print, seconds } from '../support/figures.ts'
import { addWorld, countEntries, fillTo, findWorld, type World } from './fill.ts'
import { addPower } from './orders.ts'
import { parse } from 'yaml'
import { z } from 'zod'

/**
 * Reads what production tells Postgres of memory, checkpoints and vacuum, from the template of deploy/. Compression is left as it is:
 * npm's Postgres has no lz4.
 */

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
async function productionPostgres(): Promise<Record<string, string | number>> {
  const text = await readFile(join(import.meta.dirname, '../../../deploy/postgres/patroni.yml'), 'utf8')
  return template.parse(parse(text)).bootstrap.dcs.postgresql.parameters
}

/** Connections of the bench to each database. */
export const CLIENTS = 8
/** Income is shared among so many at most, so that closing a day does not itself make the ledger grow by much. */
const MAX_OWNERS = 100_000

export type Ledger = {
  /** Entries that it was filled to. Measuring adds some. */
  entries: number
  folder: string
  postgres: EmbeddedPostgres
  db: Database
  world: World
  /** How many members have power, and a share of the income of each day. */
  owners: number
  stop: () => Promise<void>
}

/** Starts the ledger of this size in its own folder under `parent`, with what an earlier run has left there, and fills what is missing. */
export async function startLedger(parent: string, entries: number, members: number): Promise<Ledger> {
  const folder = join(parent, String(entries))
  await mkdir(folder, { recursive: true })
  const postgres = await startEmbeddedPostgres({ folder, settings: await productionPostgres() })
  const db = openDatabase({
    url: postgres.url(),
    log: silentLog(),
    poolSize: CLIENTS,
    statementTimeout_ms: 3_600_000,
  })
  const stop = async (): Promise<void> => {
    await db.destroy()
    await postgres.stop()
  }
  try {
    await migrate(db)
    const world = (await findWorld(db)) ?? (await addWorld(db, members))
    const owners = Math.min(world.members, MAX_OWNERS)
    await addPower(db, world, owners)
    const present = await countEntries(db)
    const filled = await seconds(() => fillTo(db, world, entries))
    const written = Math.max(0, entries - present)
    print(`${entries} entries of ${world.members} members; ${written} written in ${filled.toFixed(0)} s`)
    return { entries, folder, postgres, db, world, owners, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Does what a quiet hour brings: everything vacuumed and analysed, and all pages on the disk. */
export async function vacuumAndCheckpoint({ db }: Ledger): Promise<void> {
  await sql`vacuum analyze`.execute(db)
  await sql`checkpoint`.execute(db)
}
