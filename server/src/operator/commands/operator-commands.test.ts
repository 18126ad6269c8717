import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createTestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../kernel/clock.ts'
import { newKey, startOperators, type TestOperators } from '../testing-operators.ts'

const HOUR_MS = 3_600_000
const waits = { state: expect.stringContaining('waits for another operator') }

/** An installation of its own with ada and bob. */
async function startInstallation() {
  const database = await createTestDatabase()
  const clock = fakeClock('2026-03-01T12:00:00Z')
  const operators = await startOperators(database.url, clock)
  return { ...database, ...operators, clock, [Symbol.asyncDispose]: () => database.drop() }
}

const add = (name: string, key: string) => ['operator', 'add', name, '--key', key]
const raise = (value: string) => ['setting', 'set', 'withdrawDayUsdt', value]
const readLimit = async ({ give }: TestOperators) =>
  (await give<{ value: number }>('ada', 'setting', 'get', 'withdrawDayUsdt')).value

test('names are letters and digits, keys are whole: what only looks like another one is refused', async () => {
  await using installation = await startInstallation()
  const { give, keys } = installation
  const { publicKey } = newKey()
  for (const name of ['a', 'ad a', 'ada.', 'ada-2', 'аda', '2ada', 'ada\n', 'a'.repeat(33), '']) {
    await expect(give('ada', ...add(name, publicKey)), name).rejects.toThrow('is not a name')
  }
  await expect(give('ada', ...add('Ada', publicKey))).rejects.toThrow('there is or was an operator ada')
  const bobs = keys.get('bob')?.publicKey ?? ''
  await expect(give('ada', ...add('carol', bobs))).rejects.toThrow('this key is registered already, for bob')
  await expect(give('ada', ...add('carol', bobs.toUpperCase()))).rejects.toThrow('this key is registered already')
  await expect(give('ada', ...add('carol', 'ed25519:00'))).rejects.toThrow('is no public key')
  const address = privateKeyToAddress(`0x${'1'.repeat(64)}`)
  const mistyped = address.replace(/[A-F]/, (letter) => letter.toLowerCase())
  await expect(give('ada', ...add('carol', mistyped))).rejects.toThrow('wrong checksum')
  // The same with a name and keys that are right.
  expect(await give('ada', ...add('carol', address))).toMatchObject(waits)
})

test('the third operator is added and removed by two, and neither name nor key comes back', async () => {
  await using installation = await startInstallation()
  const { give, both, type, clock } = installation
  const carol = newKey()
  const setting = ['setting', 'set', 'deviceLimit', '4']
  await give('ada', ...add('carol', carol.publicKey))
  await expect(type(carol, ...setting)).rejects.toThrow('no operator has the key')
  expect(await give('bob', ...add('Carol', carol.publicKey))).toEqual({ name: 'carol', key: carol.publicKey })
  await type(carol, ...setting)

  await type(carol, ...raise('50001'))
  await both('operator', 'remove', 'carol')
  await expect(type(carol, ...setting)).rejects.toThrow('carol is not an operator any more')
  // Her proposals are over.
  expect(await give('ada', 'proposal', 'list')).toEqual([])
  expect(await give('bob', ...raise('50001'))).toMatchObject(waits)
  await expect(give('ada', ...add('carol', newKey().publicKey))).rejects.toThrow('there is or was an operator carol')
  await expect(give('ada', ...add('dora', carol.publicKey))).rejects.toThrow('registered already, for carol')
  expect(await give('ada', 'operator', 'list')).toMatchObject([
    { name: 'ada', removedAt: null },
    { name: 'bob', removedAt: null },
    { name: 'carol', commands: '2', removedAt: clock.now().toISOString() },
  ])
})

test('an operator alone signs for what one may do, never for what needs two, and is not removed', async () => {
  await using database = await createTestDatabase()
  const { type, give } = await startOperators(database.url, fakeClock('2026-03-01T12:00:00Z'), {}, ['ada'])
  await give('ada', 'setting', 'set', 'withdrawDayUsdt', '40000')
  await expect(give('ada', ...raise('50000'))).rejects.toThrow('needs two operators, and ada is the only one')
  await expect(give('ada', 'operator', 'remove', 'ada')).rejects.toThrow('needs two operators')
  const eve = newKey()
  await expect(type(eve, ...add('eve', eve.publicKey))).rejects.toThrow('no operator has the key')
})

test('the first operator signs with the key that is registered; of two at once one is first', async () => {
  await using database = await createTestDatabase()
  const { type } = await startOperators(database.url, fakeClock('2026-03-01T12:00:00Z'), {}, [])
  const [ada, bob] = [newKey(), newKey()]
  await expect(type(bob, ...add('ada', ada.publicKey))).rejects.toThrow('the first operator signs with the new key')
  const both = [type(ada, ...add('ada', ada.publicKey)), type(bob, ...add('bob', bob.publicKey))]
  const results = await Promise.allSettled(both)
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await database.db.selectFrom('operator').select('name').execute()).toHaveLength(1)
})

test('when one of two is lost, the other one removes the lost one alone after two days, but no third one', async () => {
  await using installation = await startInstallation()
  const { give, both, clock } = installation
  const remove = ['operator', 'remove', 'bob']
  expect(await give('ada', ...remove)).toMatchObject(waits)
  clock.advance(47 * HOUR_MS)
  await expect(give('ada', ...remove)).rejects.toThrow('ada has signed this already')
  // The operator who is to be removed ends it.
  const [open] = await give<{ id: string }[]>('bob', 'proposal', 'list')
  await give('bob', 'proposal', 'end', open?.id ?? '')
  await expect(give('bob', 'proposal', 'end', open?.id ?? '')).rejects.toThrow('there is no open proposal')
  clock.advance(2 * HOUR_MS)
  expect(await give('ada', ...remove)).toMatchObject(waits)

  const carol = newKey()
  await both(...add('carol', carol.publicKey))
  clock.advance(49 * HOUR_MS)
  await expect(give('ada', ...remove)).rejects.toThrow('ada has signed this already')
  await both('operator', 'remove', 'carol')
  expect(await give('ada', ...remove)).toMatchObject({ name: 'bob' })
  await expect(give('ada', ...raise('60000'))).rejects.toThrow('needs two operators, and ada is the only one')
})

test('a proposal ends after three days; two that sign it at once do it once', async () => {
  await using installation = await startInstallation()
  const { give, both, type, clock } = installation
  const carol = newKey()
  await both(...add('carol', carol.publicKey))
  expect(await give('ada', ...raise('60000'))).toMatchObject(waits)
  clock.advance(72 * HOUR_MS)
  expect(await give('ada', 'proposal', 'list')).toEqual([])
  expect(await give('bob', ...raise('60000'))).toMatchObject(waits)
  expect(await readLimit(installation)).toBe(50_000)

  const answers = await Promise.all([
    give<{ before?: number }>('ada', ...raise('60000')),
    type(carol, '--json', ...raise('60000')).then(({ out }) => JSON.parse(out) as { before?: number }),
  ])
  // The second one sets what is set already, which raises nothing.
  expect(new Set(answers.map(({ before }) => before))).toEqual(new Set([50_000, 60_000]))
  expect(await readLimit(installation)).toBe(60_000)
  const done = await installation.db
    .selectFrom('operator_audit')
    .select('outcome')
    .where('command', '=', 'setting set')
    .where('proposal', 'is not', null)
    .where('outcome', '=', 'done')
    .execute()
  expect(done).toHaveLength(1)
})

test('a proposal is signed by its number over its whole content, which is shown, and only while it is open', async () => {
  await using installation = await startInstallation()
  const { give, type, keys, clock } = installation
  await give('ada', ...raise('60000'))
  const [open] = await give<{ id: string }[]>('bob', 'proposal', 'list')
  const sign = ['proposal', 'sign', open?.id ?? '']
  await expect(give('ada', ...sign)).rejects.toThrow('ada has signed this already')
  await expect(give('bob', 'proposal', 'sign', '999')).rejects.toThrow('there is no open proposal 999')
  const bob = keys.get('bob') ?? newKey()
  const tried = await type(bob, '--dry-run', ...sign)
  expect(tried.out).toMatch(/input +\{"key":"withdrawDayUsdt","value":"60000"\}/)
  expect(tried.out).toContain('nothing was done')
  expect(await readLimit(installation)).toBe(50_000)
  expect((await type(bob, ...sign)).out).toMatch(/proposedBy +ada/)
  expect(await readLimit(installation)).toBe(60_000)
  await expect(type(bob, ...sign)).rejects.toThrow('there is no open proposal')

  await give('ada', ...raise('70000'))
  const [later] = await give<{ id: string }[]>('bob', 'proposal', 'list')
  clock.advance(72 * HOUR_MS)
  await expect(type(bob, 'proposal', 'sign', later?.id ?? '')).rejects.toThrow('there is no open proposal')
  expect(await readLimit(installation)).toBe(60_000)
})

test('what is tried changes nothing, needs no key, and says how many operators it needs', async () => {
  await using installation = await startInstallation()
  const { type, give } = installation
  const rows = () => installation.db.selectFrom('operator').selectAll().orderBy('name').execute()
  const before = await rows()
  const tried = await type(newKey(), '--json', '--dry-run', ...raise('60000'))
  expect(JSON.parse(tried.out)).toEqual({
    dryRun: 'nothing was done',
    operatorsNeeded: 2,
    result: { key: 'withdrawDayUsdt', before: 50_000, value: 60_000 },
  })
  expect(await readLimit(installation)).toBe(50_000)
  expect(await rows()).toEqual(before)
  expect(await give('ada', 'proposal', 'list')).toEqual([])
  await expect(give('ada', '--dry-run', 'close')).rejects.toThrow('it cannot be tried')
  // The same, given and not tried, waits for another operator.
  expect(await give('ada', ...raise('60000'))).toMatchObject(waits)
})

test('a wallet signs as well', async () => {
  await using installation = await startInstallation()
  await using folder = await temporaryFolder()
  const privateKey = generatePrivateKey()
  const file = join(folder.path, 'wallet.key')
  await writeFile(file, privateKey, { mode: 0o600 })
  await installation.both(...add('carol', privateKeyToAddress(privateKey)))
  const line = ['--key-file', file, 'setting', 'set', 'deviceLimit', '4']
  expect(await installation.type(newKey(), ...line)).toMatchObject({ code: 0 })
  const signers = await installation.db
    .selectFrom('operator_audit')
    .select('operator')
    .where('command', '=', 'setting set')
    .execute()
  expect(signers).toEqual([{ operator: 'carol' }])
})

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'candela-wallet-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
