/** A service of one size on the Postgres of the system, as it is installed, used with the servers' account. */
import { utcDay } from '@candela/protocol/calendar'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { asServer, makeRoles } from '@candela/testing/postgres/roles'
import { findProgram } from '@candela/testing/process/debian-programs'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase } from '@candela/server/db/open'
import { type Clock, fakeClock } from '@candela/server/kernel/clock'
import { silentLog } from '@candela/server/kernel/log'
import { sql } from 'kysely'
import { addHistories } from '../../../server/test/history/history.ts'
import { attestSnapshot } from '../../../server/test/proof/attested.ts'
import { print } from '../support/figures.ts'
import { addCrowd, type Crowd } from './crowd.ts'

const HISTORY = 100

export type Size = {
  members: number
  db: Database
  clock: Clock
  /** Has a hundred rows in every list. */
  owner: { memberId: bigint; address: string }
  stop: () => Promise<void>
}

/** Filling takes less time with these settings. */
const FILLING = {
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
}

/** Starts the service of this size in its own folder under `parent`, with what an earlier run has filled there. */
export async function startSize(parent: string, crowd: Crowd): Promise<Size> {
  const folder = join(parent, String(crowd.members))
  await mkdir(folder, { recursive: true })
  const program = findProgram('postgres')
  const place = { folder, bin: program === undefined ? undefined : dirname(program) }
  const filled = join(folder, 'filled.json')
  if (!existsSync(filled)) {
    const postgres = await startEmbeddedPostgres({ ...place, durable: false, settings: FILLING })
    try {
      await writeFile(filled, JSON.stringify(await asOwner(postgres, (db) => fill(db, crowd))))
    } finally {
      await postgres.stop()
    }
  }
  const { now, owner } = JSON.parse(await readFile(filled, 'utf8')) as Awaited<ReturnType<typeof fill>>
  const postgres = await startEmbeddedPostgres(place)
  // Applies what a later version has added since it was filled.
  await asOwner(postgres, (db) => closeDay(db, new Date(now)))
  const db = openDatabase({ url: asServer(postgres.url()), log: silentLog() })
  return {
    members: crowd.members,
    db,
    clock: fakeClock(now),
    owner: { ...owner, memberId: BigInt(owner.memberId) },
    stop: () => db.destroy().then(() => postgres.stop()),
  }
}

/** The day's interest is charged. Before the first close of all, each move into the fund looks whether a loan lacks interest. */
const closeDay = (db: Database, now: Date) =>
  sql`
    insert into loan_day (day, opened_at, closed_at) values (${utcDay(now)}::date, ${now}, ${now}) on conflict do nothing`.execute(
    db,
  )

/** The database is migrated before. */
async function asOwner<T>(postgres: EmbeddedPostgres, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ url: postgres.url(), log: silentLog(), statementTimeout_ms: 3_600_000 })
  try {
    await makeRoles(db, postgres.url())
    await migrate(db)
    return await work(db)
  } finally {
    await db.destroy()
  }
}

async function fill(db: Database, crowd: Crowd) {
  const now = new Date()
  const start = performance.now()
  await addCrowd(db, crowd, now)
  const [owner] = await addHistories(db, [HISTORY], now)
  if (owner === undefined) throw new Error('nobody has a history')
  await attestSnapshot(db, utcDay(now), fakeClock(now.toISOString()))
  await sql`vacuum analyze`.execute(db)
  await sql`checkpoint`.execute(db)
  const took_s = (performance.now() - start) / 1000
  print(`${crowd.members} members and ${crowd.borrowers} borrowers, written in ${took_s.toFixed(0)} s`)
  return { now: now.toISOString(), owner: { memberId: String(owner.memberId), address: owner.address } }
}
