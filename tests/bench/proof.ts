/**
 * Measures what a day's proof costs over the bare hashing of its tree, and what other readers feel of it. Prints one line per measure:
 * the snapshot with its tree (read at one sequence, hashed, stored) beside the hashing of as many leaves and parents alone, by as many
 * threads as processors; and the 99th percentile of a member's reads and postings while it goes on, beside that of an idle service.
 * Every fourth member has shares of the fund and the first sixteenth of them a loan each, so that leaves are in kind.
 *
 *   npx node tests/bench/proof.ts [--members 1048576] [--rounds 3]
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@candela/testing/postgres/embedded'
import { paddedCount } from '@candela/protocol/proof/sum-tree'
import { migrate } from '@candela/server/db/migrate'
import { type Database, openDatabase, transaction } from '@candela/server/db/open'
import { systemClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { silentLog } from '@candela/server/kernel/log'
import { memberBalances } from '@candela/server/ledger/balances'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { postBatch } from '@candela/server/ledger/post'
import { testMemo } from '@candela/server/ledger/testing/testing-memo'
import { WHOLE_UNIT } from '@candela/protocol/units'
import { snapshotDeps } from '@candela/server/jobs/compose-attest'
import { takeSnapshot } from '@candela/server/modules/proof/snapshot/take-snapshot'
import { addressOf, followTo } from '@candela/server/modules/power/testing'
import { sql } from 'kysely'
import { Tinypool } from 'tinypool'
import { oneConfirmation } from '../../server/test/proof/attested.ts'
import { addLoans } from './support/loans.ts'
import { median, percentile, print, seconds } from './support/figures.ts'
import { readFlags } from '../../scripts/usage.ts'

const { values: flags } = readFlags(import.meta.filename, {
  options: { members: { type: 'string', default: '1048576' }, rounds: { type: 'string', default: '3' } },
})
const members = Number(flags.members)
const rounds = Number(flags.rounds)
const ids = systemIds(systemClock)
const gateway = addressOf(1)

/** Nothing observes prices here. */
const readPrices = () => Promise.resolve({ JU: WHOLE_UNIT, HASH: WHOLE_UNIT })
const holdings = () => Promise.resolve({ JU: 0n, USDT: 0n, HASH: 0n })

const folder = await mkdtemp(join(tmpdir(), 'candela-bench-proof-'))
const postgres = await startEmbeddedPostgres({ folder, durable: true })
try {
  const db = openDatabase({ url: postgres.url(), log: silentLog(), statementTimeout_ms: 600_000 })
  await migrate(db)
  await fill(db)
  await followTo(db, 1n, systemClock.now())
  const config = oneConfirmation(gateway)
  const parts = { db, clock: systemClock, config, payouts: { holdings }, databaseUrl: postgres.url() }
  const ofService = snapshotDeps(parts)
  const deps = { ...ofService, sources: { ...ofService.sources, readPrices } }
  const times = { proof: [] as number[], hashing: [] as number[], idle: [] as number[], busy: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    times.hashing.push(await seconds(() => hashAlone(paddedCount(members + 1))))
    const idle = measure(db, times.idle)
    await sleep(10_000)
    await idle()
    const busy = measure(db, times.busy)
    times.proof.push(await seconds(() => takeSnapshot(deps, `2026-11-${String(round + 1).padStart(2, '0')}`)))
    await busy()
  }
  const [proof, hashing] = [median(times.proof), median(times.hashing)]
  print(`snapshot, tree and storing: ${proof.toFixed(1)} s for ${members} members`)
  print(`hashing alone: ${hashing.toFixed(1)} s; ratio ${(proof / hashing).toFixed(2)}`)
  print(
    `p99 of a member's read and posting: idle ${percentile(times.idle, 0.99).toFixed(1)} ms of ${times.idle.length}`,
  )
  print(`meanwhile ${percentile(times.busy, 0.99).toFixed(1)} ms of ${times.busy.length}`)
  await db.destroy()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

/** The least that any snapshot takes. */
async function hashAlone(leaves: number): Promise<void> {
  const count = availableParallelism()
  const filename = fileURLToPath(new URL('support/hash-thread.ts', import.meta.url))
  const threads = new Tinypool({ filename, minThreads: count, maxThreads: count, useAtomics: false })
  const step = Math.min(leaves, 4_096)
  await Promise.all(Array.from({ length: leaves / step }, () => threads.run(step)))
  await threads.destroy()
}

/** Members with USDT, every second with JU, every third with HASH, every fourth with shares, the first sixteenth with loans. */
async function fill(db: Database): Promise<void> {
  await sql`
    insert into member (address, invitation_code, joined_at)
    select '0x' || lpad(to_hex(n + 4096), 40, '0'), lpad(upper(to_hex(n)), 8, '0'), now()
    from generate_series(1, ${members}::integer) n`.execute(db)
  for (const [asset, every] of [
    ['USDT', 1],
    ['JU', 2],
    ['HASH', 3],
  ] as const) {
    const sample = memberAccount(1n, 'memberAvailable', asset) % 100_000n
    await sql`
      insert into ledger_account (id, balance, version)
      select n::bigint * 100000 + ${sample}, 1000000000000000000, 0
      from generate_series(1, ${members}::integer) n where n % ${every} = 0`.execute(db)
    const given = BigInt(Math.floor(members / every)) * 10n ** 18n
    await sql`
      insert into ledger_delta (account, amount, entries) values (${platformAccount('custody', asset)}, ${-given}, 0)`.execute(
      db,
    )
  }
  // The project of the loans needs the day before; the first snapshot is of the day after.
  const loans = Math.floor(members / 16)
  await addLoans(db, { loans, firstMember: 1n, members, openedOn: '2026-10-31' })
  await addFund(db)
  await sql`analyze`.execute(db)
}

/** Shares at a worth of one USDT: the loans, and what is not lent. */
async function addFund(db: Database): Promise<void> {
  const sample = memberAccount(1n, 'memberShares', 'SHARE') % 100_000n
  const each = 400n * WHOLE_UNIT
  const issued = BigInt(Math.floor(members / 4)) * each
  await sql`
    insert into ledger_account (id, balance, version)
    select n::bigint * 100000 + ${sample}, ${each}::numeric, 0 from generate_series(4, ${members}::integer, 4) n`.execute(
    db,
  )
  const { rows } = await sql<{ claims: bigint }>`
    select sum(principal + interest_charged)::numeric(78, 0) as claims from loan_debt`.execute(db)
  const claims = rows[0]?.claims ?? 0n
  await sql`
    insert into ledger_account (id, balance, version)
    values (${platformAccount('fundIdle', 'USDT')}, ${issued - claims}::numeric, 0)`.execute(db)
  await sql`
    insert into ledger_delta (account, amount, entries) values
      (${platformAccount('fundClaims', 'USDT')}, ${claims}::numeric, 0),
      (${platformAccount('custody', 'USDT')}, ${-issued}::numeric, 0),
      (${platformAccount('fundShares', 'SHARE')}, ${-issued}::numeric, 0)`.execute(db)
}

/** Reads and posts as a member does, one after the other, until the returned function is called. */
function measure(db: Database, into: number[]): () => Promise<void> {
  const ending = new AbortController()
  const loop = async () => {
    while (!ending.signal.aborted) {
      const member = BigInt(randomBytes(4).readUInt32BE() % members) + 1n
      const started = performance.now()
      await memberBalances(db, member)
      const legs = [
        {
          debit: memberAccount(member, 'memberAvailable', 'USDT'),
          credit: platformAccount('salesRevenue', 'USDT'),
          amount: 1n,
        },
      ]
      const posting = {
        id: ids.uuid(),
        kind: 'deposit' as const,
        legs,
        memo: testMemo(ids.orderNumber()),
        occurredAt: systemClock.now(),
      }
      await transaction(db, (tx) => postBatch(tx, [posting]))
      into.push(performance.now() - started)
      await sleep(20)
    }
  }
  const running = loop()
  return async () => {
    ending.abort()
    await running
  }
}
