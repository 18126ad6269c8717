import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DatabaseLayer, startDatabaseLayer } from './database-layer.ts'
import { databasePrograms, missingWithPostgres } from './programs.ts'

/** Three real Postgres under Patroni. What was acknowledged is there after any of them was lost. */

const missing = missingWithPostgres(databasePrograms)

/** Of it Patroni sleeps at most 2 s, and HAProxy and PgBouncer look each second. */
const WRITES_AGAIN_MS = 15_000
/** A silent machine is first held for dead after `ttl` of patroni.yml, 20 s; then as after a kill, and some for a busy machine. */
const WRITES_AGAIN_AFTER_SILENCE_MS = 45_000

let folder: string
let layer: DatabaseLayer
const cleanups: (() => Promise<void>)[] = []
const givingUp = new AbortController()
beforeAll(async () => {
  if (missing.length > 0) return
  // What mkdtemp makes is for its owner alone, and as root the parts are run by "nobody".
  folder = await mkdtemp(join(tmpdir(), 'candela-cluster-'))
  await chmod(folder, 0o755)
  layer = await startDatabaseLayer({ folder, log: () => {}, signal: givingUp.signal, cleanups })
  const db = openDatabase({ url: layer.directUrl, log: silentLog(), poolSize: 1 })
  await sql`create table written (id bigint primary key, at timestamptz default clock_timestamp())`.execute(db)
  await db.destroy()
})
afterAll(async () => {
  givingUp.abort()
  for (const cleanup of cleanups.toReversed()) await cleanup()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

const leader = async (): Promise<string> =>
  (await layer.members()).find(({ role }) => role === 'leader')?.name ?? 'nobody'

let nextId = 0

/** Writes one row after the other through PgBouncer, each in a transaction of its own, until `stop`. */
function startWriting() {
  const db = openDatabase({
    url: layer.pooledUrl,
    log: silentLog(),
    poolSize: 4,
    statementTimeout_ms: 5_000,
    connectTimeout_ms: 5_000,
  })
  const acknowledged: number[] = []
  let lastMs = performance.now()
  let longestGap_ms = 0
  const stopping = new AbortController()
  const write = async () => {
    while (!stopping.signal.aborted) {
      nextId += 1
      const id = nextId
      try {
        await sql`insert into written (id) values (${sql.lit(id)})`.execute(db)
        acknowledged.push(id)
        longestGap_ms = Math.max(longestGap_ms, performance.now() - lastMs)
        lastMs = performance.now()
      } catch {
        await sleep(20)
      }
    }
  }
  const writers = [write(), write(), write(), write()]
  return {
    acknowledged,
    longestGap_ms: () => longestGap_ms,
    stop: async () => {
      stopping.abort()
      await Promise.all(writers)
      await db.destroy()
    },
  }
}

async function missingOf(ids: readonly number[]): Promise<number[]> {
  const db = openDatabase({ url: layer.directUrl, log: silentLog(), poolSize: 1 })
  try {
    const { rows } = await sql<{ id: bigint }>`select id from written`.execute(db)
    const found = new Set(rows.map(({ id }) => Number(id)))
    return ids.filter((id) => !found.has(id))
  } finally {
    await db.destroy()
  }
}

/** Loses the primary while rows are written; waits until another one takes some. @returns how long none was taken */
async function loses(what: (name: string) => Promise<void>): Promise<{ before: string; gap_ms: number }> {
  const writing = startWriting()
  await expect.poll(() => writing.acknowledged.length).toBeGreaterThan(50)
  const before = await leader()
  await what(before)
  const atLoss = writing.acknowledged.length
  await expect.poll(() => leader().catch(() => before), { interval: 100 }).not.toBe(before)
  await expect.poll(() => writing.acknowledged.length).toBeGreaterThan(atLoss + 50)
  await writing.stop()
  expect(await missingOf(writing.acknowledged)).toEqual([])
  return { before, gap_ms: writing.longestGap_ms() }
}

const gapText = (gap_ms: number) => `no row was taken for ${(gap_ms / 1000).toFixed(1)} s`

test('when the primary is killed, writes go on within 15 s at another, with all that was acknowledged', async ({
  skip,
  annotate,
}) => {
  skip(missing.length > 0, `needs the Debian packages ${missing.join(', ')}`)
  const { before, gap_ms } = await loses(layer.killPostgres)
  await annotate(gapText(gap_ms))
  expect(gap_ms).toBeLessThan(WRITES_AGAIN_MS)
  // It comes back as a standby by itself.
  await layer.ready()
  expect(await leader()).not.toBe(before)
})

test('when its machine falls silent too; awake again, it has nothing to say', async ({ skip, annotate }) => {
  skip(missing.length > 0, `needs the Debian packages ${missing.join(', ')}`)
  const { before, gap_ms } = await loses(layer.freeze)
  await annotate(gapText(gap_ms))
  expect(gap_ms).toBeLessThan(WRITES_AGAIN_AFTER_SILENCE_MS)
  await layer.thaw(before)
  await layer.ready()
  expect(await leader()).not.toBe(before)
})
