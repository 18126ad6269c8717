import { MAX_AMOUNT } from '@candela/protocol/money/money'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, patientPool, type TestDatabase } from '@candela/testing/postgres/test-database'
import { runIdempotent } from '../db/idempotency/run-idempotent.ts'
import { giveUpRequest } from '../db/idempotency/request-outcome.ts'
import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { type Database, openDatabase, transaction } from '../db/open.ts'
import { uuidFromName } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { auditLedger } from './audit.ts'
import { accountBalance } from './balances.ts'
import { memberAccount, platformAccount } from './chart.ts'
import { type Command, createGroupCommit } from './commit.ts'
import { post } from './post.ts'
import { testMemo } from './testing/testing-memo.ts'

/** Commands that share commits: a failure of one does not affect the others. */

const now = new Date('2026-03-01T12:00:00Z')
const custody = platformAccount('custody', 'USDT')
const available = (member: bigint) => memberAccount(member, 'memberAvailable', 'USDT')

let database: TestDatabase
let members: bigint[]
beforeAll(async () => {
  database = await createTestDatabase()
  const rows = await database.db
    .insertInto('member')
    .values(
      Array.from({ length: 4 }, (_, at) => ({
        address: `0x${String(at).padStart(40, '0')}`,
        inviter_id: null,
        invitation_code: `COMMIT${at}`,
        joined_at: now,
      })),
    )
    .returning('id')
    .execute()
  members = rows.map(({ id }) => id)
  for (const member of members) {
    const legs = [{ debit: custody, credit: available(member), amount: 100n }]
    await transaction(database.db, (tx) =>
      post(tx, { id: uuidFromName(`fund ${member}`), kind: 'deposit', legs, memo: testMemo(), occurredAt: now }),
    )
  }
})
afterAll(() => database.drop())

/** Moves an amount between two of the four, under a request id. */
function move(from: number, to: number, amount: bigint, name: string, at = now): Command<{ told: string }> {
  const requestId = requestIdNamed(name, at)
  const [debit, credit] = [available(members[from] ?? 0n), available(members[to] ?? 0n)]
  return {
    call: { memberId: members[from] ?? 0n, requestId, endpoint: 'test', input: { to, amount }, now },
    posting: {
      id: uuidFromName(`${from} ${requestId}`),
      kind: 'deposit',
      legs: [{ debit, credit, amount }],
      memo: testMemo(),
      occurredAt: now,
    },
    result: { told: `${from} gave ${amount} to ${to}` },
  }
}

/** The same database, with connections that have a name of their own. */
function withName(name: string): string {
  const url = new URL(database.url)
  url.searchParams.set('application_name', name)
  return url.href
}

type Commit = ReturnType<typeof commitOn>

function commitOn(db: Database) {
  const group = createGroupCommit(db)
  return <T extends object>(command: Command<T>) => group.commit(command)
}

test('each of many at once gets its own outcome', async () => {
  const commit = commitOn(database.db)
  await transaction(database.db, (tx) =>
    runIdempotent(
      tx,
      {
        memberId: members[3] ?? 0n,
        requestId: requestIdNamed('used-elsewhere', now),
        endpoint: 'other',
        input: {},
        now,
      },
      () => Promise.resolve({}),
    ),
  )
  const unsound = move(0, 1, 5n, 'unsound-one')
  const outcomes = await Promise.allSettled(
    [
      move(0, 1, 10n, 'request-1'),
      move(1, 2, 500n, 'request-2'),
      move(2, 3, 20n, 'request-3'),
      move(0, 1, 10n, 'request-1'),
      move(0, 1, 11n, 'request-1'),
      { ...unsound, posting: { ...unsound.posting, legs: [] } },
      move(3, 0, 1n, 'used-elsewhere'),
      move(3, 0, 30n, 'request-4'),
    ].map((command) => commit(command)),
  )
  expect(outcomes).toMatchObject([
    { value: { told: '0 gave 10 to 1' } },
    { reason: { code: 4201 } },
    { value: { told: '2 gave 20 to 3' } },
    { value: { told: '0 gave 10 to 1' } },
    { reason: { code: 4090 } },
    { reason: { name: 'AssertionFailed' } },
    { reason: { code: 4090 } },
    { value: { told: '3 gave 30 to 0' } },
  ])
  const balances = await Promise.all(members.map((member) => accountBalance(database.db, available(member))))
  expect(balances).toEqual([120n, 110n, 80n, 90n])
  // The failed call left no request id behind.
  expect(await commit(move(1, 2, 50n, 'request-2'))).toEqual({ told: '1 gave 50 to 2' })
  expect(await auditLedger(database.db)).toEqual([])
})

test('amounts whose sum is beyond any column fail their own commands and nobody else’s', async () => {
  const commit = commitOn(database.db)
  const before = await accountBalance(database.db, available(members[0] ?? 0n))
  // The recipient's account has the lower number, so it is the first that the batch moves, before the floor stops it.
  const unfunded = Array.from({ length: 9 }, (_, at) => move(1, 0, MAX_AMOUNT, `absurd-${at}`))
  const [honest, ...others] = await Promise.allSettled(
    [move(2, 3, 1n, 'honest-1'), ...unfunded].map((command) => commit(command)),
  )
  expect(honest).toMatchObject({ value: { told: '2 gave 1 to 3' } })
  expect(others).toMatchObject(unfunded.map(() => ({ reason: { code: 4201 } })))
  expect(await accountBalance(database.db, available(members[0] ?? 0n))).toBe(before)
})

test('an amount that no chain could hold is refused before it joins a commit', async () => {
  const commit = commitOn(database.db)
  const [beyond, honest] = await Promise.allSettled(
    [move(1, 0, 10n ** 200n, 'beyond-1'), move(2, 3, 1n, 'honest-2')].map((command) => commit(command)),
  )
  expect(beyond).toMatchObject({ reason: { name: 'AssertionFailed' } })
  expect(honest).toMatchObject({ value: { told: '2 gave 1 to 3' } })
})

test('a repetition that waits beside its first call is answered from the next commit, not posted with it', async () => {
  const commit = commitOn(database.db)
  const before = await accountBalance(database.db, available(members[3] ?? 0n))
  // While this one is under way the others wait together.
  const underWay = commit(move(0, 3, 1n, 'under-way'))
  const waiting = [move(0, 3, 2n, 'twice'), move(0, 3, 2n, 'twice'), move(0, 3, 3n, 'twice')]
  const outcomes = await Promise.allSettled(waiting.map((command) => commit(command)))
  await underWay
  const told = { value: { told: '0 gave 2 to 3' } }
  expect(outcomes).toMatchObject([told, told, { reason: { code: 4090 } }])
  expect(await commit(move(0, 3, 2n, 'twice'))).toEqual(told.value)
  expect(await accountBalance(database.db, available(members[3] ?? 0n))).toBe(before + 3n)
})

test('what was given up, or has an id that is too old or ahead, is not done, also beside others', async () => {
  const commit = commitOn(database.db)
  const days = (count: number) => new Date(now.getTime() + count * 86_400_000)
  const given = move(0, 2, 1n, 'given up')
  expect(await giveUpRequest(database.db, given.call)).toEqual({ state: 'givenUp', at: now })
  const before = await accountBalance(database.db, available(members[2] ?? 0n))
  const outcomes = await Promise.allSettled(
    [
      move(0, 2, 1n, 'beside it'),
      given,
      move(0, 2, 2n, 'given up'),
      move(0, 2, 1n, 'too old', days(-31)),
      move(0, 2, 1n, 'ahead', days(1)),
      move(1, 2, 1n, 'new'),
    ].map((command) => commit(command)),
  )
  expect(outcomes).toMatchObject([
    { value: {} },
    { reason: { code: 4092 } },
    { reason: { code: 4092 } },
    { reason: { code: 4091 } },
    { reason: { code: 400 } },
    { value: { told: '1 gave 1 to 2' } },
  ])
  expect(await accountBalance(database.db, available(members[2] ?? 0n))).toBe(before + 2n)
})

test('of a command and its giving up at the same time exactly one counts', async () => {
  const commit = commitOn(database.db)
  const before = await accountBalance(database.db, available(members[3] ?? 0n))
  const ended = { done: 0, givenUp: 0 }
  for (let turn = 0; turn < 20; turn += 1) {
    const command = move(0, 3, 1n, `either-${turn}`)
    const giveUp = () => giveUpRequest(database.db, command.call)
    const first = turn % 2 === 0 ? undefined : giveUp()
    // In every fourth turn it is certain to come first; else they meet.
    if (turn % 4 === 1) await first
    const [done, given] = await Promise.allSettled([commit(command), first ?? giveUp()])
    if (done.status === 'fulfilled') {
      ended.done += 1
      expect(given).toMatchObject({ value: { state: 'done', result: { told: '0 gave 1 to 3' } } })
    } else {
      ended.givenUp += 1
      expect(done).toMatchObject({ reason: { code: 4092 } })
      expect(given).toMatchObject({ value: { state: 'givenUp' } })
    }
  }
  expect(await accountBalance(database.db, available(members[3] ?? 0n))).toBe(before + BigInt(ended.done))
  expect(Math.min(ended.done, ended.givenUp)).toBeGreaterThan(0)
  expect(await auditLedger(database.db)).toEqual([])
})

test('two servers that get the same requests in other orders do each once, and never wait for each other in a circle', async () => {
  const before = await accountBalance(database.db, available(members[2] ?? 0n))
  const servers = [1, 2].map(() => openDatabase({ url: withName('candela-twin'), log: silentLog(), ...patientPool }))
  const [one, other] = servers.map(commitOn) as [Commit, Commit]
  for (let round = 0; round < 10; round += 1) {
    const commands = Array.from({ length: 12 }, (_, nth) =>
      move(nth % 2 === 0 ? 2 : 3, 1, 1n, `shared-${round}-${nth}`),
    )
    const told = await Promise.all([
      ...commands.map((command) => one(command)),
      ...commands.toReversed().map((command) => other(command)),
    ])
    expect(told).toEqual([...commands, ...commands.toReversed()].map(({ result }) => result))
  }
  expect(await accountBalance(database.db, available(members[2] ?? 0n))).toBe(before - 60n)
  expect(await auditLedger(database.db)).toEqual([])
  const open = () =>
    sql<{ others: bigint }>`
      select count(*) as others from pg_stat_activity where datname = current_database() and application_name = 'candela-twin'`
      .execute(database.db)
      .then(({ rows }) => rows[0]?.others)
  expect(await open()).toBeGreaterThan(0n)
  // A circle is broken by Postgres after a second and what was in it is repeated, so that only the count tells. It is
  // complete when the connections are closed.
  for (const server of servers) await server.destroy()
  await expect.poll(open).toBe(0n)
  const { rows } = await sql<{ deadlocks: bigint }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(database.db)
  expect(rows).toEqual([{ deadlocks: 0n }])
})

test('a commit that the database refuses fails those in it, leaves nothing, and the next goes on', async () => {
  const commit = commitOn(database.db)
  const before = await accountBalance(database.db, available(members[0] ?? 0n))
  const stranger = move(0, 1, 1n, 'no-such-member')
  // No member has this id, so the claim breaks a foreign key and takes its whole transaction with it.
  const broken = commit({ ...stranger, call: { ...stranger.call, memberId: 999_999n } })
  const next = commit(move(0, 1, 1n, 'goes-on-then'))
  await expect(broken).rejects.toThrow('foreign key')
  expect(await next).toEqual({ told: '0 gave 1 to 1' })
  expect(await accountBalance(database.db, available(members[0] ?? 0n))).toBe(before - 1n)
  expect(await auditLedger(database.db)).toEqual([])
})
