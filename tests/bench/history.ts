/**
 * Measures what every read of a member costs because its owner has a long history. Prints, for each read and its second page, the
 * medians for a member with many rows in every list and for one with 100, and their ratio, in one run on one Postgres with fsync on.
 * Fails when a ratio is above 1.5 (and 1 ms apart), or a median above 20 ms.
 *
 *   npx node tests/bench/history.ts [--rows 1000000] [--rounds 21]
 *   npx node tests/bench/history.ts --members 10000,1000000 [--rounds 21] [--folder /some/folder]
 *
 * Handlers are called as dispatch calls them, without HTTP: its cost is the same for both. The first look at notices, which makes
 * them, is shown by itself, with all notices deleted before each.
 *
 * With `--members`: what every call costs because there are so many members, a tenth of them with a loan, half of these leveraged. A
 * database of each size, calls in turns. On the newest Postgres of the system, as it is installed, with the servers' account. With
 * `--folder` the databases stay there, and the next call measures what is in them. Fails when a median is above twice that at the first
 * size (and 1 ms apart).
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { migrate } from '@candela/server/db/migrate'
import { openDatabase } from '@candela/server/db/open'
import { must } from '@candela/server/kernel/assert'
import { fakeClock } from '@candela/server/kernel/clock'
import { silentLog } from '@candela/server/kernel/log'
import { sql } from 'kysely'
import { addHistories } from '../../server/test/history/history.ts'
import { serviceWithoutChain } from '../../server/test/history/service.ts'
import { type Read, readsOf } from '../../server/test/history/reads.ts'
import { attestSnapshot } from '../../server/test/proof/attested.ts'
import { compareSizes } from './history/sizes.ts'
import { median, percentile, print, spread } from './support/figures.ts'
import { readFlags } from '../../scripts/usage.ts'

const { values: flags } = readFlags(import.meta.filename, {
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '21' },
    members: { type: 'string' },
    folder: { type: 'string' },
  },
})
const FEW = 100
const MAX_RATIO = 1.5
/** Below this difference in milliseconds a ratio says nothing. */
const MIN_DIFFERENCE_MS = 1
const MAX_MS = 20
const LOOKS = 9
const rounds = Number(flags.rounds)

if (flags.members === undefined) await compareHistories()
else await compareMembers(flags.members.split(',').map(Number))

async function compareMembers(members: readonly number[]): Promise<void> {
  const slower = await compareSizes(members, rounds, flags.folder)
  print(slower === 0 ? 'every call is within its bound' : `${slower} calls are not within their bound`)
  if (slower > 0) process.exitCode = 1
}

async function compareHistories(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'candela-bench-'))
  const postgres = await startEmbeddedPostgres({ folder })
  try {
    await run(postgres.url())
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function run(url: string): Promise<void> {
  const now = new Date()
  const db = openDatabase({ url, log: silentLog(), statementTimeout_ms: 3_600_000 })
  await migrate(db)
  const began = performance.now()
  const [many, few] = (await addHistories(db, [Number(flags.rows), FEW], now)) as [Owner, Owner]
  print(
    `${flags.rows} rows of one member against ${FEW}, written in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )
  const clock = fakeClock(now.toISOString())
  await attestSnapshot(db, now.toISOString().slice(0, 10), clock)
  const { handlers, contextOf } = serviceWithoutChain(db, clock)
  // Rows that were written in one go are on disk, as the history of years is.
  await sql`checkpoint`.execute(db)
  const look = (owner: Owner) => timeOf(() => handlers['GET notice/list']({ limit: 20 }, contextOf(owner.memberId)))
  // The first call on each connection of a process is no matter of histories.
  await Promise.all(Array.from({ length: 10 }, () => look(few)))
  let failures = 0
  const firstLooks = { few: [] as number[], many: [] as number[] }
  for (let nth = 0; nth < LOOKS; nth++) {
    await sql`delete from notice where kind <> 'newDevice'`.execute(db)
    await sql`delete from notice_gathered`.execute(db)
    firstLooks.few.push(await look(few))
    firstLooks.many.push(await look(many))
  }
  print(
    `the first notice/list after ${flags.rows} gains: ${spread(firstLooks.many, 1)} ms against ${spread(firstLooks.few, 1)} ms`,
  )
  if (median(firstLooks.many) > MAX_MS) failures += 1
  const reads = readsOf(handlers, few, now)
  const sameOfMany = readsOf(handlers, many, now)
  for (const [nth, read] of reads.entries()) {
    const both = { few: { read, owner: few }, many: { read: must(sameOfMany[nth], 'the same reads'), owner: many } }
    for (const page of [1, 2] as const) if (!(await compare(both, page))) failures += 1
  }
  print(failures === 0 ? 'every read is within its bounds' : `${failures} reads are not within their bounds`)
  if (failures > 0) process.exitCode = 1
  await db.destroy()

  type Side = { read: Read; owner: Owner }

  async function compare(sides: { few: Side; many: Side }, page: 1 | 2): Promise<boolean> {
    const [a, b] = [await prepare(sides.few, page), await prepare(sides.many, page)]
    if (a === null || b === null) return true
    const took = { few: [] as number[], many: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      took.few.push(await timeOf(a.call))
      took.many.push(await timeOf(b.call))
    }
    // The statement's file has as many lines as there are: what a line costs is compared.
    const perRow = a.rows === 0 || a.rows >= b.rows ? 1 : b.rows / a.rows
    const [low, high] = [median(took.few), median(took.many)]
    const ratio = high / (low * perRow)
    const good = high <= MAX_MS && (ratio <= MAX_RATIO || high - low * perRow < MIN_DIFFERENCE_MS)
    print(
      `${good ? ' ' : '!'} ${high.toFixed(1).padStart(7)} ms (p90 ${percentile(took.many, 0.9).toFixed(1)}) against ` +
        `${low.toFixed(1)} ms, ratio ${ratio.toFixed(2)}, ${b.rows}/${a.rows} rows: ${sides.few.read.name}${page === 2 ? ', page 2' : ''}`,
    )
    return good
  }

  /** The call of a page, warmed; null when there is no such page. */
  async function prepare({ read, owner }: Side, page: 1 | 2) {
    const opening = await read.call(contextOf(owner.memberId))
    if (page === 2 && opening.nextCursor === null) return null
    const cursor = page === 1 ? undefined : (opening.nextCursor ?? undefined)
    const call = () => read.call(contextOf(owner.memberId), cursor)
    return { call, rows: (await call()).rows }
  }
}

type Owner = { memberId: bigint; address: string }

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
