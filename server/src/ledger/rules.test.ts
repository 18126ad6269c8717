import { MAX_AMOUNT } from '@candela/protocol/money/money'
import { memberPostingKinds } from '@candela/protocol/posting-kinds'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, sqlState, transaction } from '../db/open.ts'
import { bookAt, createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { uuidFromName } from '../kernel/ids.ts'
import { auditLedger } from './audit.ts'
import { accountBalance, memberBalances, trialBalance } from './balances.ts'
import { accountParts, chart, isFloored, isRolledUp, memberAccount, platformAccount } from './chart.ts'
import { type Leg, post, postBatch, type Posting } from './post.ts'
import { rollUp } from './upkeep/roll-up.ts'
import { statement } from './statement/statement.ts'
import { testMemo } from './testing/testing-memo.ts'

let own: TestDatabase
let db: Database
beforeAll(async () => {
  own = await createTestDatabase({ asOwner: true })
  db = own.db
})
afterAll(() => own.drop())

const custody = platformAccount('custody', 'USDT')
const available = (member: bigint) => memberAccount(member, 'memberAvailable', 'USDT')

function posting(name: string, legs: Leg[], rest: Partial<Posting> = {}): Posting {
  const occurredAt = new Date('2026-03-01T00:00:00Z')
  return { id: uuidFromName(name), kind: 'deposit', legs, memo: testMemo(name), occurredAt, ...rest } as Posting
}
const withdrawalMemo = (nth: number) => ({ withdrawalNo: `line ${nth}`, to: '0x' })
/** The ledger itself stores any JSON. */
const anyMemo = (memo: object) => memo as Posting['memo'] as never

const deposit = (name: string, member: bigint, amount: bigint) =>
  posting(name, [{ debit: custody, credit: available(member), amount }])

describe('chart', () => {
  test('an account id reads as owner, chart, asset and comes apart again', () => {
    expect(memberAccount(10001n, 'memberHeld', 'HASH')).toBe(1000111003n)
    expect(accountParts(1000111003n)).toEqual({ memberId: 10001n, name: 'memberHeld', asset: 'HASH' })
    expect(accountParts(platformAccount('fees', 'JU'))).toEqual({ memberId: undefined, name: 'fees', asset: 'JU' })
    expect(() => accountParts(99901n)).toThrow('the chart has no number 999')
    expect(() => memberAccount(0n, 'memberHeld', 'JU')).toThrow('not a member id')
    expect(() => memberAccount(2n ** 40n, 'memberHeld', 'JU')).toThrow('not a member id')
    expect(() => accountParts(1000111009n)).toThrow('no such asset')
  })

  test('numbers are unique, members and whatever can run short are floored, and the floored say how', () => {
    const rows = Object.values(chart)
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length)
    for (const row of rows) {
      const account = BigInt(row.number) * 100n + 1n
      expect(row.number >= 100 && row.number <= 999).toBe(true)
      expect('overdrawn' in row).toBe(isFloored(account))
      if (row.owner === 'member') expect(isRolledUp(account)).toBe(false)
    }
    for (const name of ['memberAvailable', 'memberHeld', 'suspense', 'deskInventory'] as const) {
      expect(chart[name].number).toBeLessThan(500)
    }
  })
})

describe('append-only', () => {
  const attempts = [
    'update ledger_entry set amount = amount + 1',
    'delete from ledger_entry',
    'truncate ledger_entry',
    "update ledger_posting set kind = 'x'",
    'delete from ledger_posting where false',
    'truncate ledger_posting',
    'truncate ledger_posting, ledger_entry',
    'delete from ledger_account',
    'truncate ledger_account',
  ]
  test.each(attempts)('%s is refused', async (statementText) => {
    await expect(sql.raw(statementText).execute(db)).rejects.toThrow('is append-only')
  })

  test('also in a session that replays for replication', async () => {
    const attempt = transaction(db, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`delete from ledger_entry`.execute(tx)
    })
    await expect(attempt).rejects.toThrow('is append-only')
  })
})

describe('floor', () => {
  test('a balance below zero is refused by the table itself', async () => {
    await transaction(db, (tx) => post(tx, deposit('floor', 7n, 5n)))
    const attempt = sql`update ledger_account set balance = -1 where id = ${available(7n)}`.execute(db)
    await expect(attempt).rejects.toSatisfy((error) => sqlState(error) === '23514')
  })
})

test('what is not a number is posted nowhere: it would pass each check of a balance', async () => {
  const accounts = [
    [custody, available(30n)],
    [available(30n), custody],
    [platformAccount('equity', 'USDT'), custody],
  ]
  for (const [debit, credit] of accounts) {
    const spend = sql`select ledger_post(array[gen_random_uuid()], '{deposit}', array['{}'::jsonb], array[now()], '{1}', '{1}',
      array[${debit}::bigint], array[${credit}::bigint], '{NaN}'::numeric[])`
    await expect(spend.execute(db)).rejects.toThrow('is_a_number')
  }
})

const usdt = (owner: number, number: number) => owner * 100_000 + number * 100 + 2
const repeated = (value: string) => `array(select ${value} from generate_series(1, 16384) n)`

describe('whoever calls the functions of the ledger by hand makes no value', () => {
  const [member, other, third] = [usdt(4101, 100), usdt(4102, 100), usdt(4103, 100)]
  const [debt, platform, otherAsset] = [usdt(4101, 500), usdt(0, 700), usdt(0, 700) + 1]
  const one = "array[gen_random_uuid()], '{deposit}', array['{}'::jsonb], array[now()], '{1}', '{1}'"
  const large = `${repeated('gen_random_uuid()')}, ${repeated("'deposit'::text")}, ${repeated("'{}'::jsonb")}, ${repeated('now()')}, ${repeated('n')}, ${repeated('1')}`
  test.each([
    ['half a unit', `ledger_post(${one}, '{${platform}}', '{${member}}', '{AMOUNT}')`, '0.5', '1'],
    [
      'halves for many',
      `ledger_share(gen_random_uuid(), 'income', '{}', now(), ${member}, '{${other},${third}}', '{AMOUNT,AMOUNT}')`,
      '0.5',
      '1',
    ],
    [
      'a collected half',
      `ledger_collect(gen_random_uuid(), 'interest', '{}', now(), '{${debt}}', '{AMOUNT}', '{${platform}}', '{AMOUNT}')`,
      '0.5',
      '1',
    ],
    [
      'another asset behind an array that begins elsewhere',
      `ledger_collect(gen_random_uuid(), 'interest', '{}', now(), '{${debt}}', '{1}', '[2:2]={AMOUNT}', '{1}')`,
      `${otherAsset}`,
      `${platform}`,
    ],
    [
      'another asset in an array of arrays',
      `ledger_collect(gen_random_uuid(), 'interest', '{}', now(), '{${debt}}', '{1}', '{AMOUNT}', '{1}')`,
      `{${otherAsset}}`,
      `${platform}`,
    ],
    [
      'more postings than a batch has numbers for',
      `ledger_post(${large}, ${repeated(`${platform}::bigint`)}, ${repeated(`${member}::bigint`)}, ${repeated('AMOUNT')})`,
      '1::numeric',
      '',
    ],
  ])('%s', async (_name, call, refused, taken) => {
    const say = (value: string) => sql.raw(`select ${call.replaceAll('AMOUNT', value)} is not null as done`).execute(db)
    await transaction(db, (tx) => post(tx, deposit(`for ${call}`, 4101n, 10n)))
    if (taken !== '') expect((await say(taken)).rows).toEqual([{ done: true }])
    await expect(say(refused)).rejects.toThrow(/whole|of one asset|at most 16383/)
    expect(await auditLedger(db)).toEqual([])
  })
})

describe('post', () => {
  test('says 4201 for a member, 4206 for the desk, 4090 for another content under the same id', async () => {
    await transaction(db, (tx) => post(tx, deposit('one', 20n, 10n)))
    const tooMuch = posting('two', [{ debit: available(20n), credit: custody, amount: 11n }])
    await expect(transaction(db, (tx) => post(tx, tooMuch))).rejects.toMatchObject({
      code: 4201,
      params: { asset: 'USDT' },
    })
    const desk = platformAccount('deskInventory', 'USDT')
    const noStock = posting('three', [{ debit: desk, credit: available(20n), amount: 1n }])
    await expect(transaction(db, (tx) => post(tx, noStock))).rejects.toMatchObject({ code: 4206 })
    await expect(transaction(db, (tx) => post(tx, deposit('one', 20n, 11n)))).rejects.toMatchObject({ code: 4090 })
    expect(await transaction(db, (tx) => post(tx, deposit('one', 20n, 10n)))).toBe('already')
  })

  test('what makes content other: kind, any leg, their order, the memo; not the time, not the order of memo keys', async () => {
    const legs = [
      { debit: custody, credit: available(30n), amount: 5n },
      { debit: custody, credit: available(31n), amount: 5n },
    ]
    const base = posting('content', legs, { memo: anyMemo({ a: 1, b: { c: 'x "quoted" \\ and 中文', d: null } }) })
    const outcomeOf = async (change: Partial<Posting>) =>
      (await transaction(db, (tx) => postBatch(tx, [{ ...base, ...change } as Posting])))[0]?.outcome
    expect(await outcomeOf({})).toBe('posted')
    expect(await outcomeOf({ occurredAt: new Date(0) })).toBe('already')
    expect(await outcomeOf({ memo: anyMemo({ b: { d: null, c: 'x "quoted" \\ and 中文' }, a: 1 }) })).toBe('already')
    expect(await outcomeOf({ kind: 'transfer' })).toBe('conflict')
    expect(await outcomeOf({ memo: anyMemo({}) })).toBe('conflict')
    expect(await outcomeOf({ legs: legs.toReversed() })).toBe('conflict')
    expect(await outcomeOf({ legs: legs.slice(0, 1) })).toBe('conflict')
    expect(await accountBalance(db, available(30n))).toBe(5n)
  })

  test('an id that was overdrawn stays free, and all legs of a posting stand or fall together', async () => {
    const spend = posting('later', [
      { debit: custody, credit: available(41n), amount: 3n },
      { debit: available(40n), credit: available(41n), amount: 3n },
    ])
    const batch = [spend, deposit('fund 40', 40n, 3n), spend]
    expect(await transaction(db, (tx) => postBatch(tx, batch))).toEqual([
      { outcome: 'overdrawn', account: available(40n) },
      { outcome: 'posted' },
      { outcome: 'posted' },
    ])
    expect(await accountBalance(db, available(41n))).toBe(6n)
  })

  test.each([
    ['nothing', 0n, custody, available(50n), 'an amount of 0'],
    ['less than nothing', -1n, custody, available(50n), 'an amount of -1'],
    ['to itself', 1n, custody, custody, 'to itself'],
    ['across assets', 1n, platformAccount('custody', 'JU'), available(50n), 'differ in asset'],
  ])('refuses a leg of %s, also when the first check is gone around', async (name, amount, debit, credit, reason) => {
    const attempt = transaction(db, (tx) => post(tx, posting(name, [{ debit, credit, amount }])))
    await expect(attempt).rejects.toThrow(reason)
    const direct =
      sql`select ledger_post(${[uuidFromName(name)]}::uuid[], '{deposit}', '{"{}"}', '{2026-01-01}', '{1}', '{1}',
      ${[debit]}::bigint[], ${[credit]}::bigint[], ${[amount]}::numeric[])`.execute(db)
    await expect(direct).rejects.toThrow('a leg needs a positive amount and two accounts of one asset')
  })

  test.each<[string, Partial<Posting>, string]>([
    ['an id that is no UUID', { id: 'ABC' }, 'the id is not a lower-case UUID'],
    ['an id in capital letters', { id: uuidFromName('x').toUpperCase() }, 'the id is not a lower-case UUID'],
    ['a kind that is no word', { kind: 'De posit' as never }, 'is not a word in lower case'],
    ['no legs', { legs: [] }, 'no legs'],
    ['an unknown asset', { legs: [{ debit: 70009n, credit: 71009n, amount: 1n }] }, 'has no known asset'],
  ])('refuses %s', async (name, change, reason) => {
    const sound = deposit(name, 51n, 1n)
    await expect(transaction(db, (tx) => post(tx, { ...sound, ...change } as Posting))).rejects.toThrow(reason)
  })

  test('amounts up to 78 digits are exact', async () => {
    const huge = 10n ** 77n + 7n
    await transaction(db, (tx) => post(tx, deposit('huge', 60n, huge)))
    expect(await accountBalance(db, available(60n))).toBe(huge)
    await transaction(db, (tx) =>
      post(tx, posting('huge back', [{ debit: available(60n), credit: custody, amount: huge }])),
    )
    expect(await memberBalances(db, 60n)).toMatchObject({ USDT: { available: 0n, held: 0n }, JU: { available: 0n } })
  })
})

describe('balances beyond the largest amount', () => {
  const all = MAX_AMOUNT
  const from = available(61n)

  test('are exact, on floored accounts, on rolled-up ones, and in the audit', async () => {
    await using other = await createTestDatabase({ asOwner: true })
    const many = Array.from({ length: 12 }, (_, at) => deposit(`absurd ${at}`, 61n, all))
    const outcomes = await transaction(other.db, (tx) => postBatch(tx, many))
    expect(outcomes).toEqual(many.map(() => ({ outcome: 'posted' })))
    expect(await accountBalance(other.db, from)).toBe(12n * all)
    await transaction(other.db, rollUp)
    expect(await accountBalance(other.db, custody)).toBe(-12n * all)
    const spend = posting('absurd back', [{ debit: from, credit: custody, amount: all }])
    expect(await transaction(other.db, (tx) => postBatch(tx, [spend]))).toEqual([{ outcome: 'posted' }])
    expect(await trialBalance(other.db)).toMatchObject([{ balance: 11n * all }, { balance: -11n * all }])
    expect(await auditLedger(other.db)).toEqual([])
  })

  test('a posting that cannot be paid does not fail the others in its batch', async () => {
    const unfunded = Array.from({ length: 12 }, (_, at) =>
      posting(`unfunded ${at}`, [{ debit: available(63n), credit: available(62n), amount: all }]),
    )
    const outcomes = await transaction(db, (tx) => postBatch(tx, [...unfunded, deposit('beside', 64n, 1n)]))
    expect(outcomes).toEqual([
      ...unfunded.map(() => ({ outcome: 'overdrawn', account: available(63n) })),
      { outcome: 'posted' },
    ])
  })

  test('more than an amount on chain can be is no posting', async () => {
    await expect(transaction(db, (tx) => post(tx, deposit('beyond', 65n, all + 1n)))).rejects.toThrow('more than')
  })
})

describe('reads', () => {
  test('folding rolled-up accounts changes no balance', async () => {
    await transaction(db, (tx) => post(tx, deposit('fold', 70n, 9n)))
    const before = await trialBalance(db)
    expect(await transaction(db, rollUp)).toBeGreaterThan(0n)
    expect(await trialBalance(db)).toEqual(before)
    expect(await transaction(db, rollUp)).toBe(0n)
  })

  test('a statement pages through several accounts, newest first, without gaps or repetitions', async () => {
    const held = memberAccount(80n, 'memberHeld', 'USDT')
    for (let index = 1; index <= 12; index++) {
      const occurredAt = new Date(Date.UTC(2026, 3, index))
      const legs =
        index % 3 === 0
          ? [{ debit: available(80n), credit: held, amount: 1n }]
          : [{ debit: custody, credit: available(80n), amount: 2n }]
      const setAside = { kind: 'withdrawal-hold', memo: withdrawalMemo(index) } as const
      const rest = index % 3 === 0 ? setAside : {}
      await bookAt(own.owner, occurredAt)
      await transaction(db, (tx) => post(tx, posting(`line ${index}`, legs, { ...rest, occurredAt })))
    }
    await bookAt(own.owner)
    const accounts = [available(80n), held]
    const kinds = memberPostingKinds
    const all = await statement(db, { accounts, kinds, limit: 100, cursor: undefined })
    expect(all.items).toHaveLength(16)
    expect(all.nextCursor).toBeNull()
    expect(all.items[0]).toMatchObject({
      account: held,
      amount: 1n,
      balance: 4n,
      kind: 'withdrawal-hold',
      memo: withdrawalMemo(12),
    })
    const paged = []
    let cursor: string | undefined
    do {
      const page = await statement(db, { accounts, kinds, limit: 3, cursor })
      paged.push(...page.items)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(paged).toEqual(all.items)
    const times = all.items.map(({ occurredAt }) => occurredAt.getTime())
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    const some = await statement(db, {
      accounts,
      limit: 100,
      cursor: undefined,
      kinds: ['withdrawal-hold'],
      since: new Date(Date.UTC(2026, 3, 6)),
      before: new Date(Date.UTC(2026, 3, 12)),
    })
    expect(some.items.map(({ memo }) => memo)).toEqual([9, 9, 6, 6].map(withdrawalMemo))
    await expect(statement(db, { accounts, kinds, limit: 3, cursor: 'x' })).rejects.toMatchObject({
      code: 400,
      params: { field: 'cursor' },
    })
  })
})

describe('audit', () => {
  // Each planted fault with the rules that must find it. Only the owner of the tables could write these.
  const faults: [string, string, string[]][] = [
    [
      'a changed balance row',
      'update ledger_account set balance = balance + 1 where id = 9010002',
      ['each balance is that of the last entry'],
    ],
    ['a lost delta', 'delete from ledger_delta', ['each balance is the sum of its entries']],
    [
      'a changed amount',
      'update ledger_entry set amount = amount + 1 where account = 9010002',
      ['every posting sums to zero per asset', 'running balance and version follow from the entries'],
    ],
    [
      'a changed amount of a rolled-up account',
      'update ledger_entry set amount = amount + 1 where line = 1',
      ['each balance is the sum of its entries', 'every posting sums to zero per asset'],
    ],
    [
      'a changed running balance',
      'update ledger_entry set balance = balance + 1 where account = 9010002',
      ['each balance is that of the last entry', 'running balance and version follow from the entries'],
    ],
    [
      'a lost posting',
      "delete from ledger_posting where memo->>'reference' = 'audited'",
      ['entries and postings belong together'],
    ],
    [
      'a lost entry pair',
      "delete from ledger_entry where posting = (select seq from ledger_posting where memo->>'reference' = 'audited')",
      [
        'each balance is that of the last entry',
        'each balance is the sum of its entries',
        'entries and postings belong together',
      ],
    ],
  ]
  test.each(faults)('finds %s', async (_name, fault, rules) => {
    await using other = await createTestDatabase({ asOwner: true })
    await transaction(other.db, (tx) => postBatch(tx, [deposit('audited', 90n, 4n), deposit('beside', 91n, 4n)]))
    expect(await auditLedger(other.db)).toEqual([])
    const tables = ['ledger_entry', 'ledger_posting']
    for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger all`.execute(other.db)
    await sql.raw(fault).execute(other.db)
    const found = await auditLedger(other.db)
    expect([...new Set(found.map(({ rule }) => rule))].toSorted()).toEqual(rules)
  })
})
