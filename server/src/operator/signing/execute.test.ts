import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { transaction } from '../../db/open.ts'
import { fakeClock } from '../../kernel/clock.ts'
import { startOperators } from '../testing-operators.ts'
import { type Operation, execute } from './execute.ts'
import type { OperatorKey } from './operator-key.ts'
import { readService, removeOperator } from './operators.ts'
import { findOrPropose } from './proposals.ts'
import { type SignedTerms, type Terms, textOf } from './signed-terms.ts'

/** Ada's next command, signed, and not given yet. */
async function startSigned() {
  const database = await createTestDatabase()
  const clock = fakeClock('2026-03-01T12:00:00Z')
  const operators = await startOperators(database.url, clock)
  const { db } = database
  const ada = operators.keys.get('ada') as OperatorKey
  const rows = () => db.selectFrom('operator').select(['name', 'signed']).orderBy('name').execute()
  const terms: Terms = {
    service: await readService(db),
    operator: 'ada',
    number: ((await rows())[0]?.signed ?? 0n) + 1n,
    command: 'session end',
    input: { of: 'member:7', why: 'lost' },
    at: clock.now(),
  }
  const done: string[] = []
  const operation = (change: Partial<Operation> = {}): Operation => ({
    command: terms.command,
    input: terms.input,
    signers: 1,
    work: (_tx, _now, by) => {
      done.push(...by)
      return Promise.resolve({ by })
    },
    ...change,
  })
  const sign = async (change: Partial<Terms> = {}, key = ada): Promise<SignedTerms> => {
    const changed = { ...terms, ...change }
    return { terms: changed, signature: await key.sign(textOf(changed)) }
  }
  const give = (signed: SignedTerms, what = operation()) => execute(db, signed, what, clock.now())
  return {
    ...database,
    ...operators,
    clock,
    terms,
    done,
    operation,
    sign,
    give,
    [Symbol.asyncDispose]: () => database.drop(),
  }
}

test('a signature is used once, also by many at once', async () => {
  await using signed = await startSigned()
  const one = await signed.sign()
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => signed.give(one)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(signed.give(one)).rejects.toThrow('a signature is used once')
  expect(signed.done).toEqual(['ada'])
  const afterNext = await signed.sign({ number: signed.terms.number + 2n })
  await expect(signed.give(afterNext)).rejects.toThrow('a signature is used once')
  // The next one is taken.
  await signed.give(await signed.sign({ number: signed.terms.number + 1n }))
  expect(signed.done).toEqual(['ada', 'ada'])
})

test('whatever differs from what was signed is refused, and nothing is done', async () => {
  await using signed = await startSigned()
  const { give, sign, operation, terms, keys, clock } = signed
  const one = await sign()
  const notSigned = 'is not signed by ada for exactly this command here'
  for (const change of [
    { input: { of: 'everybody', why: 'lost' } },
    { input: { of: 'member:7' } },
    { input: { of: 'member:7', why: 'lost', more: '1' } },
    { command: 'suspense assign' },
  ]) {
    await expect(give(one, operation(change))).rejects.toThrow(notSigned)
  }
  const otherNumber = { ...one, terms: { ...terms, number: terms.number + 1n } }
  const otherTime = { ...one, terms: { ...terms, at: new Date(terms.at.getTime() + 1) } }
  for (const changed of [otherNumber, otherTime, { ...one, signature: '0'.repeat(128) }, { ...one, signature: '' }]) {
    await expect(give(changed)).rejects.toThrow(notSigned)
  }
  await expect(give(await sign({}, keys.get('bob')))).rejects.toThrow(notSigned)
  await expect(give(await sign({ operator: 'bob' }))).rejects.toThrow('is not signed by bob')
  await expect(give(await sign({ operator: 'eve' }))).rejects.toThrow('there is no operator eve')
  clock.advance(300_001)
  await expect(give(one)).rejects.toThrow('sign it again')
  const future = await sign({ at: new Date(clock.now().getTime() + 300_001) })
  await expect(give(future)).rejects.toThrow('sign it again')
  expect(signed.done).toEqual([])
  // Another order of the names is the same input.
  await give(await sign({ at: clock.now(), input: { why: 'lost', of: 'member:7' } }))
  expect(signed.done).toEqual(['ada'])
})

test('a signature for another installation or another contract is worth nothing here', async () => {
  await using signed = await startSigned()
  const one = await signed.sign()
  await sql`update installation set id = gen_random_uuid()`.execute(signed.owner)
  await expect(signed.give(one)).rejects.toThrow('is not signed by ada')
  await signed.give(await signed.sign({ service: await readService(signed.db) }))
  const before = await signed.sign({ service: await readService(signed.db), number: signed.terms.number + 1n })
  await sql`insert into chain_cursor (chain_id, gateway, start_block, followed, head, head_seen_at)
    values (210000, ${`0x${'5'.repeat(40)}`}, 0, 0, 0, now())`.execute(signed.db)
  await expect(signed.give(before)).rejects.toThrow('is not signed by ada')
  expect(signed.done).toEqual(['ada'])
})

test('what needs one is not signed as a proposal', async () => {
  await using signed = await startSigned()
  const one = await signed.sign()
  await expect(signed.give(one, signed.operation({ proposal: 1n }))).rejects.toThrow('this needs nobody else any more')
  expect(signed.done).toEqual([])
  await signed.give(one)
})

test('work that fails uses nothing up and leaves no row', async () => {
  await using signed = await startSigned()
  const one = await signed.sign()
  const rows = () => signed.db.selectFrom('operator_audit').select('id').execute()
  const before = await rows()
  const failing = signed.operation({ work: () => Promise.reject(new Error('no')) })
  await expect(signed.give(one, failing)).rejects.toThrow('no')
  expect(await rows()).toEqual(before)
  await signed.give(one)
  expect(await rows()).toHaveLength(before.length + 1)
})

test('the last operator is not removed', async () => {
  await using signed = await startSigned()
  const remove = (name: string) => transaction(signed.db, (tx) => removeOperator(tx, name, signed.clock.now()))
  await remove('bob')
  await expect(remove('ada')).rejects.toThrow('ada is the last operator')
})

test('what was proposed of one command is not agreed to by another with the same input', async () => {
  await using signed = await startSigned()
  const propose = (command: string, operator: string) =>
    transaction(signed.db, (tx) => findOrPropose(tx, { command, input: { asset: 'JU' } }, operator, signed.clock.now()))
  const isNew = [
    await propose('reconcile book', 'ada'),
    await propose('reconcile release', 'bob'),
    await propose('reconcile book', 'bob'),
  ].map((proposal) => proposal.isNew)
  expect(isNew).toEqual([true, true, false])
})
