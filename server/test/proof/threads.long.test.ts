import { fileURLToPath } from 'node:url'
import { snapshotThread } from '@candela/testing/build/build-server'
import { checkPath } from '@candela/protocol/proof/proof-file'
import { type Database, transaction } from '@candela/server/db/open'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '@candela/server/kernel/clock'
import { systemIds } from '@candela/server/kernel/ids'
import { memberAccount, platformAccount } from '@candela/server/ledger/chart'
import { post } from '@candela/server/ledger/post'
import { snapshotDeps } from '@candela/server/jobs/compose-attest'
import { readAddress } from '@candela/server/modules/member/read-address'
import { followTo, WHOLE } from '@candela/server/modules/power/testing'
import { readPlatformProof, readProof } from '@candela/server/modules/proof/read-proof'
import { SumsDiffer } from '@candela/server/modules/proof/snapshot/read-members'
import { type SnapshotDeps, takeSnapshot } from '@candela/server/modules/proof/snapshot/take-snapshot'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'
import { oneConfirmation, someHoldings } from './attested.ts'

const DAY = '2026-03-01'
/** More than one thread takes in one go, with a gap among the ids. */
const MEMBERS = 9_000
const clock = fakeClock('2026-03-01T12:00:00.000Z')
const ids = systemIds(clock)
const debt = { memberId: 8_500n, debt: 300n, collateral: { JU: 40n, HASH: 0n } }

/** Members with balances, some of dust, one of them with a loan, and the platform's accounts that fit them. */
async function fill(db: Database): Promise<void> {
  await sql`
    insert into member (id, address, invitation_code, joined_at) overriding system value
    select n, '0x' || lpad(to_hex(n + 4096), 40, '0'), lpad(upper(to_hex(n)), 8, '0'), now()
    from generate_series(1, ${MEMBERS}::integer) n where n not between 4000 and 4100`.execute(db)
  for (const [asset, every, owed] of [
    ['USDT', 1, -debt.debt],
    ['JU', 2, debt.collateral.JU],
  ] as const) {
    const sample = memberAccount(1n, 'memberAvailable', asset) % 100_000n
    await sql`
      insert into ledger_account (id, balance, version)
      select id * 100000 + ${sample}, 1000 + id + case when id % 100 = 7 then 0 else ${WHOLE}::numeric end, 0
      from member where id % ${every} = 0`.execute(db)
    await sql`
      insert into ledger_delta (account, amount, entries)
      select ${platformAccount('custody', asset)}::bigint, -sum(balance) - ${owed}, 0 from ledger_account
      where id % 100000 = ${sample}`.execute(db)
  }
  await followTo(db, 1n, clock.now())
}

/** The same secrets in each database. */
function depsOf(db: Database, databaseUrl?: string): SnapshotDeps {
  const config = oneConfirmation()
  const deps = snapshotDeps({
    db,
    clock,
    config,
    payouts: { holdings: someHoldings },
    newSeed: () => new Uint8Array(32).fill(7),
  })
  return {
    ...deps,
    ...(databaseUrl === undefined ? {} : { threads: { filename: snapshotThread, databaseUrl } }),
    sources: { ...deps.sources, listOpenDebts: () => Promise.resolve([debt]) },
  }
}

const snapshotOf = ({ db }: TestDatabase) => db.selectFrom('proof_snapshot').selectAll().executeTakeFirstOrThrow()

const pieces = ({ db }: TestDatabase) =>
  db.selectFrom('proof_piece').selectAll().orderBy('tier').orderBy('part').execute()
const parts = ({ db }: TestDatabase) => db.selectFrom('proof_part').selectAll().execute()

/** A loan of nobody: its id is in the gap. */
const withStranger = () => Promise.resolve([debt, { ...debt, memberId: 4_050n }])

/** Somebody pays a member from the platform's account, on another connection. */
const postMeanwhile = ({ db }: TestDatabase, memberId: bigint) =>
  transaction(db, (tx) =>
    post(tx, {
      id: ids.uuid(),
      kind: 'deposit',
      legs: [
        {
          debit: platformAccount('custody', 'USDT'),
          credit: memberAccount(memberId, 'memberAvailable', 'USDT'),
          amount: 77n,
        },
      ],
      memo: testMemo(),
      occurredAt: clock.now(),
    }),
  )

test('threads make the tree that one thread makes, and see nothing that is posted while they read', async () => {
  await using threaded = await createTestDatabase({ asOwner: true })
  await using plain = await createTestDatabase({ asOwner: true })
  await Promise.all([fill(threaded.db), fill(plain.db)])
  expect(await takeSnapshot(depsOf(plain.db), DAY)).toBe(true)
  const deps = depsOf(threaded.db, threaded.url)
  let posted = 0
  const readPrices: SnapshotDeps['sources']['readPrices'] = async (tx) => {
    // The sequence is fixed, and no thread has begun.
    await postMeanwhile(threaded, 8_999n)
    posted += 1
    return deps.sources.readPrices(tx)
  }
  expect(await takeSnapshot({ ...deps, sources: { ...deps.sources, readPrices } }, DAY)).toBe(true)
  expect(posted).toBe(1)
  const [one, other] = [await snapshotOf(plain), await snapshotOf(threaded)]
  expect(other).toEqual(one)
  expect(one.depth).toBe(14)
  expect(await pieces(threaded)).toEqual(await pieces(plain))
  expect(await parts(threaded)).toEqual(await parts(plain))
  expect(await parts(threaded)).toMatchObject([{ member_id: debt.memberId, debt: debt.debt }])
  for (const id of [1n, 3_999n, 4_101n, 8_192n, 8_193n, 8_500n, 8_999n, 9_000n]) {
    const address = await readAddress(threaded.db, id)
    const proof = await readProof(threaded.db, other, { id, address })
    expect(proof === null ? 'no leaf' : checkPath(proof)).toBeNull()
    const usdt = WHOLE + 1_000n + id - (id === debt.memberId ? debt.debt : 0n)
    expect(proof?.leaf.owed).toEqual([
      String(usdt),
      '0',
      String(id % 2n === 0n ? WHOLE + 1_000n + id + (id === debt.memberId ? 40n : 0n) : 0n),
    ])
  }
  expect(one.small_members).toBe(89n)
  const small = await readProof(threaded.db, other, { id: 107n, address: await readAddress(threaded.db, 107n) })
  expect(small).toBeNull()
  const platform = await readPlatformProof(threaded.db, other)
  expect(platform === null ? 'no leaf' : checkPath(platform)).toBeNull()
  const expected = Array.from({ length: 90 }, (_, nth) => 100n * BigInt(nth) + 7n)
    .filter((id) => id < 4_000n || id > 4_100n)
    .reduce((sum, id) => sum + 1_000n + id, 0n)
  expect(platform?.leaf.owed).toEqual([String(expected), '0', '0'])
  // The next one has what was posted.
  expect(await takeSnapshot(deps, '2026-03-02')).toBe(true)
  const next = await threaded.db
    .selectFrom('proof_snapshot')
    .select('owed_usdt')
    .where('day', '=', '2026-03-02')
    .executeTakeFirstOrThrow()
  expect(next.owed_usdt).toBe(one.owed_usdt + 77n)
})

test('what threads read is compared with the ledger as well, and what fails in one fails the snapshot', async () => {
  await using database = await createTestDatabase({ asOwner: true })
  await fill(database.owner)
  const deps = depsOf(database.db, database.url)
  const strange = { ...deps, sources: { ...deps.sources, listOpenDebts: withStranger } }
  await expect(takeSnapshot(strange, DAY)).rejects.toThrow(SumsDiffer)
  await sql`update ledger_account set balance = balance + 1 where id = ${memberAccount(8_999n, 'memberAvailable', 'USDT')}`.execute(
    database.owner,
  )
  await expect(takeSnapshot(deps, DAY)).rejects.toThrow(SumsDiffer)
  const gone = new URL(database.url)
  gone.pathname += '_gone'
  const nowhere = { ...deps, threads: { ...deps.threads!, databaseUrl: gone.href } }
  await expect(takeSnapshot(nowhere, DAY)).rejects.toThrow('does not exist')
  expect(await database.db.selectFrom('proof_snapshot').select('day').execute()).toEqual([])
})

test('a tree whose root has other sums than its members is not stored', async () => {
  await using database = await createTestDatabase({ asOwner: true })
  await fill(database.owner)
  const filename = fileURLToPath(new URL('faulty-thread.ts', import.meta.url))
  const deps = { ...depsOf(database.db), threads: { filename, databaseUrl: database.url } }
  await expect(takeSnapshot(deps, DAY)).rejects.toThrow('the root has other sums than its leaves')
  expect(await database.db.selectFrom('proof_snapshot').select('day').execute()).toEqual([])
})
