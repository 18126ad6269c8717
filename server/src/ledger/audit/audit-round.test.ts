import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, transaction } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase, othersEnded } from '@candela/testing/postgres/test-database'
import { uuidFromName } from '../../kernel/ids.ts'
import { keptLog } from '@candela/testing/server/kept-log'
import { auditLedger } from '../audit.ts'
import { type AccountId, memberAccount, platformAccount } from '../chart.ts'
import { type Posting, postBatch } from '../post.ts'
import { rollUp } from '../upkeep/roll-up.ts'
import { testMemo } from '../testing/testing-memo.ts'
import { type AuditDeps, auditRound, lastAuditAt, ledgerAuditor } from './audit-round.ts'
import { acceptFinding, hasOpenFindings, listOpenFindings } from './findings.ts'
import { readSealed } from './seal-range.ts'
import { auditAll } from './testing-round.ts'

const HOUR_MS = 3_600_000
const custody = platformAccount('custody', 'USDT')
const available = (member: number) => memberAccount(BigInt(member), 'memberAvailable', 'USDT')

let own: TestDatabase
let db: Database
let now: Date
let kept: ReturnType<typeof keptLog>
let deps: AuditDeps
beforeEach(async () => {
  own = await createTestDatabase({ asOwner: true })
  db = own.db
  now = new Date('2026-03-01T00:00:00Z')
  kept = keptLog('info')
  // Ranges of a few postings, so that a few postings make many of them.
  deps = { db, clock: { now: () => now }, log: kept.log, sizes: { entries: 13, accounts: 6, verifyWithin: 2 } }
})
afterEach(() => own.drop())

function move(name: string, debit: AccountId, credit: AccountId, amount = 5n): Posting {
  const occurredAt = new Date('2026-03-01T00:00:00Z')
  return {
    id: uuidFromName(name),
    kind: 'deposit',
    legs: [{ debit, credit, amount }],
    memo: testMemo(name),
    occurredAt,
  }
}

/** Ten members get money and pass some of it on; twenty postings. */
async function postSome(name: string): Promise<void> {
  const members = Array.from({ length: 10 }, (_, at) => at + 1)
  const given = members.map((member) => move(`${name} to ${member}`, custody, available(member)))
  const passed = members.map((member) =>
    move(`${name} from ${member}`, available(member), available((member % 10) + 1), 2n),
  )
  await transaction(db, (tx) => postBatch(tx, given))
  await transaction(db, (tx) => postBatch(tx, passed))
}

/** A whole round, which can seal all that was committed before. */
async function audit(): Promise<void> {
  await othersEnded(db)
  await auditAll(deps)
}

const openRules = async () => [...new Set((await listOpenFindings(db)).map(({ rule }) => rule))].toSorted()
const eventsOf = (event: string) =>
  kept.lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line['event'] === event)
const ranges = () => db.selectFrom('ledger_audit_range').selectAll().orderBy('last_posting').execute()

/** Changes what nothing may change, as an owner of the database could. */
async function tamper(statement: string): Promise<void> {
  for (const table of ['ledger_entry', 'ledger_posting', 'ledger_account']) {
    await sql`alter table ${sql.table(table)} disable trigger all`.execute(db)
  }
  await sql.raw(statement).execute(db)
}

describe('a round', () => {
  test('seals what is new, once, in ranges that together are the whole journal', async () => {
    await postSome('first')
    await audit()
    const first = await ranges()
    expect(first.length).toBeGreaterThan(2)
    expect(first.reduce((sum, { postings }) => sum + postings, 0n)).toBe(20n)
    expect(first.reduce((sum, { entries }) => sum + entries, 0n)).toBe(40n)
    await postSome('second')
    await transaction(db, rollUp)
    await audit()
    const both = await ranges()
    expect(both.slice(0, first.length).map(({ digest, sealed_in }) => ({ digest, sealed_in }))).toEqual(
      first.map(({ digest, sealed_in }) => ({ digest, sealed_in })),
    )
    expect(both.reduce((sum, { entries }) => sum + entries, 0n)).toBe(80n)
    expect(await openRules()).toEqual([])
    expect(eventsOf('ledger.audited')).toMatchObject([
      { digest: first.at(-1)?.digest, passed: true },
      { digest: both.at(-1)?.digest, passed: true },
    ])
  })

  test('reads every sealed range again within so many rounds', async () => {
    await postSome('old')
    await audit()
    const [before] = await ranges()
    for (let round = 0; round < 3; round++) await audit()
    for (const range of await ranges()) expect(range.verified_in).toBeGreaterThan(before?.verified_in ?? 0n)
  })

  test('that is interrupted is continued after what it has sealed', async () => {
    await postSome('some')
    await othersEnded(db)
    const interrupted = auditRound(deps)
    while ((await ranges()).length < 2) await interrupted.next()
    const sealed = await ranges()
    await audit()
    expect((await ranges()).slice(0, 2)).toMatchObject(
      sealed.map(({ last_posting, sealed_in }) => ({ last_posting, sealed_in })),
    )
    expect((await ranges()).reduce((sum, { postings }) => sum + postings, 0n)).toBe(20n)
    expect(await openRules()).toEqual([])
  })

  test('finds nothing while others post, fold and are overdrawn', async () => {
    const progress = { isDone: false, posted: 0n, rounds: 0 }
    const postMeanwhile = async () => {
      for (let nth = 0; nth < 12 || progress.rounds < 2; nth++) {
        await postSome(`busy ${nth}`)
        progress.posted += 20n
        await transaction(db, (tx) => postBatch(tx, [move(`short ${nth}`, available(1), available(2), 10n ** 9n)]))
        if (nth % 3 === 0) await transaction(db, rollUp)
      }
    }
    const posting = postMeanwhile().finally(() => (progress.isDone = true))
    for (; !progress.isDone; progress.rounds++) await auditAll(deps)
    await posting
    await audit()
    expect(await openRules()).toEqual([])
    expect((await ranges()).reduce((sum, { postings }) => sum + postings, 0n)).toBe(progress.posted)
    expect(await auditLedger(db)).toEqual([])
  })

  test('waits for a posting with a lower number that is not committed, before it seals higher ones', async () => {
    const round = auditRound(deps)
    await transaction(db, async (tx) => {
      await postBatch(tx, [move('lower', custody, available(1))])
      await transaction(db, (other) => postBatch(other, [move('higher', custody, available(2))]))
      for (let step = 0; step < 5; step++) expect((await round.next()).done).toBe(false)
      expect(await ranges()).toEqual([])
    })
    await othersEnded(db)
    while ((await round.next()).done !== true);
    expect(await ranges()).toMatchObject([{ postings: 2n }])
    expect(await openRules()).toEqual([])
  })

  test('takes no lock that a posting would wait for', async () => {
    await postSome('locked')
    await transaction(db, async (tx) => {
      // Every lock but that of a plain read would wait for this one, for ever.
      await sql`lock table ledger_posting, ledger_entry, ledger_account, ledger_delta in exclusive mode`.execute(tx)
      await audit()
    })
    expect((await ranges()).length).toBeGreaterThan(2)
  })
})

describe('what the audit must find', () => {
  const newest = 'posting = (select max(posting) from ledger_entry)'
  const oldest = 'posting = (select min(posting) from ledger_entry)'
  const sealed = 'a sealed range is as it was audited'
  const balances = 'each balance is that of the last entry'
  const kinds = 'each entry has the kind of its posting'
  const running = 'running balance and version follow from the entries'
  // The fault, where it is planted, what undoes it, and the rules that find it.
  const faults: [string, 'new' | 'sealed', string, string, string[]][] = [
    [
      'an unbalanced posting',
      'new',
      `update ledger_entry set amount = amount + 1 where line = 2 and ${newest}`,
      `update ledger_entry set amount = amount - 1 where line = 2 and ${newest}`,
      ['every posting sums to zero per asset', running],
    ],
    [
      'a broken running balance',
      'new',
      `update ledger_entry set balance = balance + 1 where line = 2 and ${newest}`,
      `update ledger_entry set balance = balance - 1 where line = 2 and ${newest}`,
      [balances, running],
    ],
    [
      'a missing version',
      'new',
      `update ledger_entry set version = version + 1 where line = 2 and ${newest}`,
      `update ledger_entry set version = version - 1 where line = 2 and ${newest}`,
      [balances, running],
    ],
    [
      'an entry of another kind than its posting',
      'new',
      `update ledger_entry set kind = kind + 1 where line = 2 and ${newest}`,
      `update ledger_entry set kind = kind - 1 where line = 2 and ${newest}`,
      [kinds],
    ],
    [
      'a sealed entry that got another kind than its posting',
      'sealed',
      `update ledger_entry set kind = kind + 1 where line = 2 and ${oldest}`,
      `update ledger_entry set kind = kind - 1 where line = 2 and ${oldest}`,
      [kinds],
    ],
    [
      'a posting that is lost',
      'new',
      `update ledger_posting set seq = seq + 5000 where seq = (select max(posting) from ledger_entry)`,
      `update ledger_posting set seq = seq - 5000 where seq = (select max(seq) from ledger_posting)`,
      ['entries and postings belong together'],
    ],
    [
      'a running balance on a rolled-up account',
      'new',
      `update ledger_entry set balance = 1 where account = ${custody} and posting = (select max(posting) from ledger_entry where account = ${custody})`,
      `update ledger_entry set balance = null where account = ${custody}`,
      ['rolled-up entries carry no running balance'],
    ],
    [
      'a wrong balance row',
      'sealed',
      `update ledger_account set balance = balance + 1 where id = ${available(7)}`,
      `update ledger_account set balance = balance - 1 where id = ${available(7)}`,
      [balances],
    ],
    [
      'a wrong version of a balance row',
      'sealed',
      `update ledger_account set version = version + 1 where id = ${available(7)}`,
      `update ledger_account set version = version - 1 where id = ${available(7)}`,
      [balances],
    ],
    [
      'a balance row that nothing was posted to',
      'sealed',
      `insert into ledger_account values (${available(99)}, 7, 1)`,
      `delete from ledger_account where id = ${available(99)}`,
      [balances],
    ],
    [
      'a balance row that is lost',
      'sealed',
      `update ledger_account set id = ${available(99)} where id = ${available(10)}`,
      `update ledger_account set id = ${available(10)} where id = ${available(99)}`,
      [balances],
    ],
    [
      'a lost delta of a rolled-up account',
      'sealed',
      `update ledger_delta set amount = amount + 1 where ctid = (select min(ctid) from ledger_delta)`,
      `update ledger_delta set amount = amount - 1 where ctid = (select min(ctid) from ledger_delta)`,
      ['each balance is the sum of its entries'],
    ],
    [
      'a wrong count of entries of a rolled-up account',
      'sealed',
      `update ledger_delta set entries = entries + 1 where ctid = (select min(ctid) from ledger_delta)`,
      `update ledger_delta set entries = entries - 1 where ctid = (select min(ctid) from ledger_delta)`,
      ['each balance is the sum of its entries'],
    ],
    [
      'a delta of an account that is not rolled up',
      'sealed',
      `insert into ledger_delta values (${available(1)}, 1, 1)`,
      `delete from ledger_delta where account = ${available(1)}`,
      ['only rolled-up accounts wait to be folded'],
    ],
    [
      'a changed sealed entry',
      'sealed',
      `update ledger_entry set amount = amount + 1 where line = 2 and ${oldest}`,
      `update ledger_entry set amount = amount - 1 where line = 2 and ${oldest}`,
      [sealed, 'every posting sums to zero per asset', running],
    ],
    [
      'a sealed entry that went to another account',
      'sealed',
      `update ledger_entry set account = ${available(98)} where line = 2 and ${oldest}`,
      `update ledger_entry set account = ${available(1)} where line = 2 and ${oldest}`,
      [sealed, balances],
    ],
    [
      'a changed sealed posting',
      'sealed',
      `update ledger_posting set occurred_at = occurred_at + interval '1 s' where seq = (select min(seq) from ledger_posting)`,
      `update ledger_posting set occurred_at = occurred_at - interval '1 s' where seq = (select min(seq) from ledger_posting)`,
      [sealed],
    ],
    [
      'a changed memo of a sealed posting',
      'sealed',
      `update ledger_posting set memo = memo || '{"reference": "other"}' where seq = (select min(seq) from ledger_posting)`,
      `update ledger_posting set memo = memo || '{"reference": "first to 1"}' where seq = (select min(seq) from ledger_posting)`,
      [sealed],
    ],
    [
      'a posting that is added between sealed ones',
      'sealed',
      `insert into ledger_posting select seq + 100, gen_random_uuid(), kind, memo, occurred_at from ledger_posting order by seq limit 1`,
      `delete from ledger_posting where seq = (select min(posting) + 100 from ledger_entry)`,
      [sealed, 'entries and postings belong together'],
    ],
  ]

  test.each(faults)('%s', async (_name, where, fault, undo, rules) => {
    await postSome('first')
    await audit()
    const before = await readSealed(db)
    if (where === 'new') await postSome('second')
    await tamper(fault)
    for (let round = 0; round < 3; round++) await audit()
    expect(await openRules()).toEqual(rules.toSorted())
    expect(await hasOpenFindings(db)).toBe(true)
    // Each is a line of the log once, whatever the number of rounds.
    expect(eventsOf('ledger.audit-failed')).toHaveLength((await listOpenFindings(db)).length)
    // The range with the fault is not sealed, those before it are.
    if (where === 'sealed') expect(await readSealed(db)).toEqual(before)
    else expect((await auditLedger(db)).length).toBeGreaterThan(0)
    await tamper(undo)
    await audit()
    expect(await openRules()).toEqual([])
    expect(await hasOpenFindings(db)).toBe(false)
    expect(eventsOf('ledger.audit-passed-again')).toHaveLength(1)
    expect(await auditLedger(db)).toEqual([])
  })

  test('an account that was below zero for a moment', async () => {
    await postSome('first')
    await audit()
    await tamper('alter table ledger_account drop constraint ledger_account_floor')
    const at = 'select (select last_value + 1 from ledger_batch_seq) * 16384 as seq'
    await tamper(`insert into ledger_posting select seq, gen_random_uuid(), 'deposit', '{}', now() from (${at}) n`)
    await tamper(
      `insert into ledger_entry (posting, line, kind, account, amount, balance, version)
       select seq, line, ledger_kind_code('deposit'), account, amount, balance, version from (${at}) n, (values
        (1, ${available(1)}, -6, -1, 4), (2, ${available(2)}, 6, 11, 4), (3, ${available(2)}, -6, 5, 5), (4, ${available(1)}, 6, 5, 5)
      ) e (line, account, amount, balance, version)`,
    )
    await tamper(`update ledger_account set version = 5 where id in (${available(1)}, ${available(2)})`)
    await sql`select nextval('ledger_batch_seq')`.execute(db)
    await audit()
    expect(await openRules()).toEqual(['no floored account was ever below zero'])
  })
})

describe('a finding', () => {
  test('that the journal keeps for ever is accepted, and the audit goes on behind it', async () => {
    await postSome('first')
    await tamper(
      'update ledger_entry set amount = amount + 1 where line = 1 and posting = (select min(posting) from ledger_entry)',
    )
    await audit()
    expect(await ranges()).toEqual([])
    for (const { id } of await listOpenFindings(db)) {
      expect(await transaction(db, (tx) => acceptFinding(tx, id, 'explained', now))).toBe(true)
      expect(await transaction(db, (tx) => acceptFinding(tx, id, 'again', now))).toBe(false)
    }
    expect(await hasOpenFindings(db)).toBe(false)
    await audit()
    expect((await ranges()).length).toBeGreaterThan(2)
    // The change of the balance is another finding, of the balances.
    expect(await openRules()).not.toContain('every posting sums to zero per asset')
    // Another change at the same place is not what was accepted.
    await tamper(
      'update ledger_entry set amount = amount + 1 where line = 1 and posting = (select min(posting) from ledger_entry)',
    )
    await audit()
    expect(await openRules()).toContain('every posting sums to zero per asset')
  })
})

describe('the auditor of a running service', () => {
  test('works in steps, and begins the next round after an hour', async () => {
    await postSome('first')
    const step = ledgerAuditor(deps)
    const whole = async () => {
      let steps = 0
      while (await step()) steps += 1
      return steps
    }
    expect(await whole()).toBeGreaterThan(5)
    expect(await lastAuditAt(db)).toEqual(now)
    expect(await whole()).toBe(0)
    now = new Date(now.getTime() + HOUR_MS - 1)
    expect(await whole()).toBe(0)
    now = new Date(now.getTime() + 1)
    expect(await whole()).toBeGreaterThan(3)
    expect(await lastAuditAt(db)).toEqual(now)
  })
})
