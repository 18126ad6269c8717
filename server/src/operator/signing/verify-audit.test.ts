import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../kernel/clock.ts'
import { startOperators } from '../testing-operators.ts'
import { type Operation, execute } from './execute.ts'
import { readService } from './operators.ts'
import { textOf } from './signed-terms.ts'
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

test('finds what one operator alone has signed for two', async () => {
  await using audited = await startAudited()
  const { db, keys } = audited
  const at = new Date('2026-03-04T12:00:00Z')
  const sign = async (number: bigint, operation: Operation, now: Date) => {
    const { command, input } = operation
    const terms = { service: await readService(db), operator: 'ada', number, command, input, at: now }
    await execute(db, { terms, signature: (await keys.get('ada')?.sign(textOf(terms))) ?? '' }, operation, now)
  }
  // As a changed program would let her.
  const assign: Operation = {
    command: 'suspense assign',
    input: { id: '1', to: 'desk' },
    signers: 2,
    alone: () => Promise.resolve(true),
    work: () => Promise.resolve({}),
  }
  await sign(5n, assign, new Date(at.getTime() - 49 * 3_600_000))
  await sign(6n, assign, at)
  await sign(7n, { ...assign, signers: 1 }, at)
  expect((await verifyAudit(db)).bad).toEqual([
    'row 10 (suspense assign): ada alone signed what two have to sign',
    'row 11 (suspense assign): ada alone signed what two have to sign',
  ])
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
])('finds %s', async (_what, statement, message) => {
  await using audited = await startAudited()
  await audited.change(statement)
  const { bad } = await verifyAudit(audited.db)
  expect(bad.join('\n')).toMatch(message)
  await expect(audited.give('ada', 'audit', 'verify')).rejects.toThrow('is not what was signed')
})
