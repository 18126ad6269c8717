import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../kernel/clock.ts'
import { addMember, addressOf } from '../../modules/power/testing.ts'
import { addWithdrawal } from '../../modules/withdraw/testing.ts'
import { commandNames, definitionOf } from '../table/command-table.ts'
import { newKey, startOperators } from '../testing-operators.ts'
import { readService } from './operators.ts'
import { canonicalJson, textOf } from './signed-terms.ts'
import { verifyAudit } from './verify-audit.ts'

/** Ada and bob, an old row without a signature, and one row of each kind. */
async function startAudited() {
  const database = await createTestDatabase({ asOwner: true })
  const { db } = database
  await sql`insert into operator_audit (operator, command, input, at) values ('old', 'plan close', '{}', now())`.execute(
    db,
  )
  const operators = await startOperators(database.url, fakeClock('2026-03-01T12:00:00Z'))
  const { give, both } = operators
  await give('ada', 'setting', 'set', 'deviceLimit', '4')
  await give('bob', 'setting', 'list')
  await both('setting', 'set', 'withdrawDayUsdt', '60000')
  await give('bob', 'setting', 'set', 'deviceLimit', '5')
  /** Changes the table as somebody can who owns the database. */
  const change = async (statement: string) => {
    await sql`alter table operator_audit disable trigger all`.execute(db)
    await sql.raw(statement).execute(db)
    await sql`alter table operator_audit enable trigger all`.execute(db)
  }
  return { ...database, ...operators, change, [Symbol.asyncDispose]: () => database.drop() }
}

test('every signature is right, and the command says how many', async () => {
  await using audited = await startAudited()
  expect(await verifyAudit(audited.db)).toEqual({ signed: 6, read: 1, unsigned: 1, bad: [] })
  expect(await audited.give('ada', 'audit', 'verify')).toMatchObject({ result: 'every signature is right' })
})

test('the table itself refuses changes', async () => {
  await using audited = await startAudited()
  for (const statement of [
    `update operator_audit set input = '{}'`,
    'delete from operator_audit',
    'truncate operator_audit',
  ])
    await expect(sql.raw(statement).execute(audited.db)).rejects.toThrow('append-only')
  await expect(sql`delete from operator`.execute(audited.db)).rejects.toThrow('keep name and key')
  await expect(sql`update operator set key = 'ed25519:' || repeat('0', 64)`.execute(audited.db)).rejects.toThrow(
    'keep name',
  )
})

type Forged = { at: string; outcome?: 'done' | 'proposed'; proposal?: bigint | null; service?: string }

/** Writes rows as a changed program would, each with a signature that is right. */
function forger({ db, keys }: Awaited<ReturnType<typeof startAudited>>) {
  const signed = new Map([
    ['ada', 4n],
    ['bob', 2n],
  ])
  return async (
    operator: string,
    command: string,
    input: Record<string, unknown>,
    { at, outcome = 'done', proposal = null, service }: Forged,
  ) => {
    const number = (signed.get(operator) ?? 0n) + 1n
    signed.set(operator, number)
    const terms = { service: service ?? (await readService(db)), operator, number, command, input, at: new Date(at) }
    const key = keys.get(operator)
    if (key === undefined) throw new Error(`there is no operator ${operator}`)
    await db
      .insertInto('operator_audit')
      .values({
        operator,
        command,
        input: canonicalJson(input),
        at: terms.at,
        number,
        service: terms.service,
        key: key.publicKey,
        signature: await key.sign(textOf(terms)),
        outcome,
        proposal,
      })
      .execute()
    await db.updateTable('operator').set({ signed: number }).where('name', '=', operator).execute()
  }
}

/** A proposal as a row of its table, which the rows of the audit refer to. */
async function propose(
  { db }: Awaited<ReturnType<typeof startAudited>>,
  command: string,
  input: Record<string, unknown>,
): Promise<bigint> {
  const at = new Date('2026-03-02T00:00:00Z')
  const { id } = await db
    .insertInto('operator_proposal')
    .values({
      command,
      input: canonicalJson(input),
      proposed_by: 'ada',
      proposed_at: at,
      expires_at: new Date(at.getTime() + 259_200_000),
      ended: 'done',
      ended_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const needTwo = commandNames.filter((name) => definitionOf(name).signers === 2)
const badOf = async ({ db }: Awaited<ReturnType<typeof startAudited>>) =>
  (await verifyAudit(db)).bad.map((each) => each.replace(/^row \d+ /, ''))

test('of every command that needs two, finds that one operator alone has signed it', async () => {
  expect(needTwo.length).toBeGreaterThan(10)
  await using audited = await startAudited()
  const forge = forger(audited)
  for (const name of needTwo) await forge('ada', name, { id: '1' }, { at: '2026-03-02T12:00:00Z' })
  await forge('ada', 'no such thing', {}, { at: '2026-03-02T12:00:00Z' })
  expect(await badOf(audited)).toEqual([
    ...needTwo.map((name) => `(${name}): ada alone signed what two have to sign`),
    '(no such thing): there is no such command',
  ])
})

test('finds it of what needs two by what was in the database, and not of what one may do', async () => {
  await using audited = await startAudited()
  const forge = forger(audited)
  const at = '2026-03-02T12:00:00Z'
  const set = (value: string) => forge('ada', 'setting set', { key: 'withdrawDayUsdt', value }, { at })
  // Less than what two had set before, and more than the default.
  await set('55000')
  await set('50000')
  await set('60001')
  await set('59000')
  await forge('ada', 'operator add', { name: 'eve', key: newKey().publicKey }, { at })
  const alone = 'ada alone signed what two have to sign'
  expect(await badOf(audited)).toEqual([
    `(setting set): ${alone}`,
    `(setting set): ${alone}`,
    `(operator add): ${alone}`,
  ])
})

test('finds that one alone approved a withdrawal that needed two', async () => {
  await using audited = await startAudited()
  const { db } = audited
  const at = '2026-03-02T12:00:00Z'
  const forge = forger(audited)
  const to_address = addressOf(7)
  const member_id = await addMember(db, to_address)
  // The number of approvals, and of the withdrawal.
  for (const approvals of [1, 2]) {
    const number = await addWithdrawal(db, approvals, { member_id, to_address, state: 'review', approvals })
    const { id } = await db
      .selectFrom('withdrawal')
      .select('id')
      .where('withdrawal_no', '=', number)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('withdrawal_approval')
      .values({ withdrawal_id: id, operator: 'ada', at: new Date(at) })
      .execute()
    await forge('ada', 'withdrawal approve', { number }, { at })
  }
  expect(await badOf(audited)).toEqual(['(withdrawal approve): ada alone signed what two have to sign'])
})

const assign = (id: string) => ['suspense assign', { id, to: 'desk' }] as const

test('finds what was signed elsewhere, a proposal that is made twice or for something else, and who was removed', async () => {
  await using audited = await startAudited()
  const forge = forger(audited)
  const proposed = async (operator: string, id: string, at: string) => {
    const proposal = await propose(audited, ...assign(id))
    await forge(operator, ...assign(id), { at, outcome: 'proposed', proposal })
    return proposal
  }
  const end = ['session end', { of: 'member:7', why: 'lost' }] as const
  const at = '2026-03-02T01:00:00Z'
  const first = await proposed('ada', '1', at)
  // Commits are not in the order of signatures.
  await forge('bob', ...end, { at: '2026-03-02T00:56:00Z' })
  expect(await badOf(audited)).toEqual([])
  await forge('bob', ...end, { at, service: `${crypto.randomUUID()} chain 210000 contract none` })
  await forge('bob', ...assign('1'), { at, outcome: 'proposed', proposal: first })
  await forge('bob', ...assign('2'), { at, proposal: first })
  await forge('bob', 'operator add', assign('1')[1], { at, proposal: first })
  const alone = await proposed('ada', '3', at)
  const [removing, removed] = ['2026-03-04T02:00:00Z', '2026-03-06T02:00:00Z']
  await forge('ada', ...assign('3'), { at: removing, proposal: alone })
  const ofBob = await proposed('bob', '4', removing)
  const remove = await propose(audited, 'operator remove', { name: 'bob' })
  await forge('ada', 'operator remove', { name: 'bob' }, { at: removing, outcome: 'proposed', proposal: remove })
  await forge('ada', 'operator remove', { name: 'bob' }, { at: removed, proposal: remove })
  await forge('ada', ...assign('4'), { at: removed, proposal: ofBob })
  await forge('bob', ...end, { at: removed })
  const found = (await badOf(audited)).filter((each) => !each.startsWith('operator '))
  expect(found).toEqual([
    '(session end): it is signed for another installation',
    `(suspense assign): proposal ${first} was made before`,
    `(suspense assign): proposal ${first} was for something else`,
    expect.stringContaining(`proposal ${first} was for something else`),
    '(suspense assign): ada alone signed what two have to sign',
    '(suspense assign): bob had been removed',
    '(session end): bob had been removed',
  ])
})

test.each([
  ['in time', '2026-03-04T23:59:00Z', 'bob', undefined],
  ['after it had expired', '2026-03-05T00:00:00Z', 'bob', 'had expired'],
  ['by the same operator', '2026-03-02T01:00:00Z', 'ada', 'ada alone signed what two have to sign'],
])('a proposal that is signed %s', async (_how, at, by, problem) => {
  await using audited = await startAudited()
  const forge = forger(audited)
  const input = { id: '1', to: 'desk' }
  const proposal = await propose(audited, 'suspense assign', input)
  await forge('ada', 'suspense assign', input, { at: '2026-03-02T00:00:00Z', outcome: 'proposed', proposal })
  await forge(by, 'suspense assign', input, { at, proposal })
  expect(await badOf(audited)).toEqual(problem === undefined ? [] : [expect.stringContaining(problem)])
})

test('finds a proposal that is signed after it was done or ended, and time that goes back', async () => {
  await using audited = await startAudited()
  const forge = forger(audited)
  const input = { id: '1', to: 'desk' }
  const at = '2026-03-02T01:00:00Z'
  const proposal = await propose(audited, 'suspense assign', input)
  const other = await propose(audited, 'suspense assign', { ...input, id: '2' })
  await forge('ada', 'suspense assign', input, { at, outcome: 'proposed', proposal })
  await forge('ada', 'suspense assign', { ...input, id: '2' }, { at, outcome: 'proposed', proposal: other })
  await forge('bob', 'suspense assign', input, { at, proposal })
  expect(await badOf(audited)).toEqual([])
  await forge('bob', 'suspense assign', input, { at, proposal })
  await forge('bob', 'proposal end', { id: String(other) }, { at })
  await forge('bob', 'suspense assign', { ...input, id: '2' }, { at, proposal: other })
  await forge('bob', 'proposal end', { id: '99' }, { at: '2026-03-02T00:54:00Z' })
  expect(await badOf(audited)).toEqual([
    expect.stringContaining(`proposal ${proposal} was over`),
    expect.stringContaining(`proposal ${other} was over`),
    expect.stringContaining('its time is before that of the rows before it'),
  ])
})

test.each([
  ['of two, after 48 hours', false, '2026-03-04T00:00:00Z', []],
  ['of two, within seconds', false, '2026-03-02T00:00:01Z', ['alone signed']],
  ['of three, after 48 hours', true, '2026-03-04T00:00:00Z', ['alone signed']],
])('one operator removes another one %s', async (_who, isThird, at, problems) => {
  await using audited = await startAudited()
  const forge = forger(audited)
  if (isThird) {
    const carol = { name: 'carol', key: newKey().publicKey }
    const added = await propose(audited, 'operator add', carol)
    const when = { at: '2026-03-01T13:00:00Z', proposal: added }
    await forge('ada', 'operator add', carol, { ...when, outcome: 'proposed' })
    await forge('bob', 'operator add', carol, when)
    await audited.db
      .insertInto('operator')
      .values({ ...carol, added_at: new Date(when.at) })
      .execute()
  }
  const proposal = await propose(audited, 'operator remove', { name: 'bob' })
  await forge('ada', 'operator remove', { name: 'bob' }, { at: '2026-03-02T00:00:00Z', outcome: 'proposed', proposal })
  await forge('ada', 'operator remove', { name: 'bob' }, { at, proposal })
  const found = (await badOf(audited)).filter((each) => !each.startsWith('operator '))
  expect(found).toEqual(problems.map((each) => expect.stringContaining(each)))
})

// Row 4 is ada's setting, 6 and 7 are the one that two signed, 8 is bob's.
test.each([
  [
    'another input',
    `update operator_audit set input = '{"key":"deviceLimit","value":"9"}' where id = 4`,
    /row 4 .*not over/,
  ],
  ['another command', `update operator_audit set command = 'setting get' where id = 4`, /row 4 .*not over these words/],
  ['another time', `update operator_audit set at = at + interval '1 ms' where id = 4`, /row 4 .*not over these words/],
  [
    'another operator',
    `update operator_audit set operator = 'bob', number = 9 where id = 4`,
    /row 4 .*key is not that of bob/,
  ],
  [
    'another signature',
    `update operator_audit set signature = repeat('0', 128) where id = 4`,
    /row 4 .*not over these words/,
  ],
  [
    'a row without its signature',
    `update operator_audit set signature = null, number = null, service = null, key = null,
    outcome = 'read' where id = 4`,
    /row 6 .*it is command 4 of ada, and the one before it is 2/,
  ],
  ['a removed row', 'delete from operator_audit where id = 8', /operator bob: the last command here is 1, not 2/],
  ['a removed row in the middle', 'delete from operator_audit where id = 4', /row 6 .*command 4 of ada/],
  [
    'an unsigned row that is new',
    `insert into operator_audit (operator, command, input, at)
    values ('ada', 'plan close', '{}', now())`,
    /plan close\): it is not signed/,
  ],
  [
    'one alone for two',
    `update operator_audit set operator = 'ada', number = 9 where id = 7`,
    /row 7 .*the key is not that of ada/,
  ],
  [
    'a second signature for something else',
    `update operator_audit set proposal = null where id = 6`,
    /row 7 .*signed by nobody before/,
  ],
  [
    'an operator whom nobody added',
    `insert into operator (name, key, added_at)
    values ('eve', 'ed25519:' || repeat('1', 64), now())`,
    /operator eve: no signed command added this key/,
  ],
  [
    'an operator whom nobody removed',
    `update operator set removed_at = now() where name = 'bob'`,
    /operator bob: no signed/,
  ],
  [
    'an operator who is gone',
    `alter table operator disable trigger all; delete from operator where name = 'bob'; alter table operator enable trigger all`,
    /operator bob: is not registered any more/,
  ],
])('finds %s', async (_what, statement, message) => {
  await using audited = await startAudited()
  await audited.change(statement)
  const { bad } = await verifyAudit(audited.db)
  expect(bad.join('\n')).toMatch(message)
  await expect(audited.give('ada', 'audit', 'verify')).rejects.toThrow('is not what was signed')
})
