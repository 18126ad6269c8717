import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../db/open.ts'
import { readSettings } from '../db/settings.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../kernel/clock.ts'
import { OperatorError } from '../kernel/errors.ts'
import { silentLog } from '../kernel/log.ts'
import { runCommand } from './run-command.ts'
import type { OperatorKey } from './signing/operator-key.ts'
import { startOperators, type TestOperators } from './testing-operators.ts'

let database: TestDatabase
let db: Database
let operators: TestOperators
beforeAll(async () => {
  database = await createTestDatabase()
  operators = await startOperators(database.url, clock)
  db = database.db
})
afterAll(() => database.drop())

const clock = fakeClock('2026-03-01T12:00:00Z')

const keyOf = (name: string): OperatorKey => operators.keys.get(name) as OperatorKey

/** Runs a command line as a shell would and returns what it wrote. */
const candela = (line: string[], name = 'ada') => operators.type(keyOf(name), ...line)
const json = (...line: string[]) => operators.give('ada', ...line)
const audit = () =>
  db.selectFrom('operator_audit').select(['operator', 'command', 'input', 'at']).orderBy('id').execute()

const planWords =
  '--name-zh 标准 --name-tw 標準 --name-en Standard --description-zh 每天 --description-tw 每天 --description-en Daily ' +
  '--unit-price 12.5 --term-days 30 --min-units 1 --max-units 100 --total-units 1000'
const planOptions = planWords.split(' ')

test('invitation codes are created, listed and closed, each written down with who did it', async () => {
  const before = (await audit()).length
  await candela(['invitation', 'create', 'FIRST1', '--note', 'for the launch'])
  expect(await json('invitation', 'list')).toMatchObject([{ code: 'FIRST1', note: 'for the launch', closed_at: null }])
  await candela(['invitation', 'close', 'FIRST1'], 'bob')
  await expect(candela(['invitation', 'close', 'FIRST1'])).rejects.toThrow('there is no open invitation code FIRST1')
  await expect(candela(['invitation', 'create', 'FIRST1'])).rejects.toThrow('exists already')
  await expect(candela(['invitation', 'create', 'lower'])).rejects.toThrow('4 to 16 capital letters and digits')
  expect((await audit()).slice(before)).toMatchObject([
    {
      operator: 'ada',
      command: 'invitation create',
      input: { code: 'FIRST1', note: 'for the launch' },
      at: clock.now(),
    },
    { operator: null, command: 'invitation list', input: {} },
    { operator: 'bob', command: 'invitation close', input: { code: 'FIRST1' } },
  ])
})

test('a code that a member shows to others cannot become a root code', async () => {
  const address = `0x${'7'.repeat(40)}`
  await db
    .insertInto('member')
    .values({ address, inviter_id: null, invitation_code: 'MEMBER77', joined_at: clock.now() })
    .execute()
  await expect(candela(['invitation', 'create', 'MEMBER77'])).rejects.toThrow('MEMBER77 is the own code of member')
})

test('a plan is created with the fee of the setting, listed and closed', async () => {
  await candela(['setting', 'set', 'serviceFeePpm', '70000'])
  const created = (await json('plan', 'create', ...planOptions)) as { id: string }
  expect(await json('plan', 'list')).toMatchObject([
    {
      id: created.id,
      name: { zh: '标准', tw: '標準', en: 'Standard' },
      unit_price: '12.5',
      units_left: '1000',
      service_fee_ppm: 70_000,
    },
  ])
  expect((await candela(['plan', 'list'])).out).toContain('Standard')
  const picture = 'https://pictures.example.org/plan.webp'
  await candela(['plan', 'picture', created.id, picture])
  expect(await json('plan', 'list')).toMatchObject([{ id: created.id, picture_url: picture }])
  await candela(['plan', 'picture', created.id, 'none'])
  expect(await json('plan', 'list')).toMatchObject([{ id: created.id, picture_url: null }])
  await expect(candela(['plan', 'picture', '999', picture])).rejects.toThrow('there is no plan 999')
  await candela(['plan', 'close', created.id])
  await expect(candela(['plan', 'close', created.id])).rejects.toThrow(`there is no open plan ${created.id}`)
  await expect(candela(['plan', 'close', '1; drop table'])).rejects.toThrow('there is no open plan')
})

test('a plan that makes no sense is refused by the name of the option', async () => {
  const before = (await audit()).length
  const refusals = [
    ['--unit-price', '0', '--unit-price: notPositive'],
    ['--unit-price', '-1', '--unit-price: notANumber'],
    ['--min-units', '101', '--min-units: must not be above maxUnits'],
    ['--term-days', '9999', '--term-days'],
    ['--name-en', ' ', '--name-en'],
    ['--service-fee-ppm', '1000001', '--service-fee-ppm must be a whole number from 0 to 1000000'],
  ] as const
  for (const [option, value, message] of refusals) {
    await expect(candela(['plan', 'create', ...planOptions, option, value])).rejects.toThrow(message)
  }
  expect((await audit()).length).toBe(before)
})

test('settings have defaults, take only what they can mean, and count at once', async () => {
  expect(await json('setting', 'get', 'deviceLimit')).toMatchObject({ value: 3, default: 3 })
  expect(await json('setting', 'set', 'deviceLimit', '5')).toEqual({ key: 'deviceLimit', before: 3, value: 5 })
  expect((await readSettings(db)).deviceLimit).toBe(5)
  await expect(candela(['setting', 'set', 'deviceLimit', '0'])).rejects.toThrow('a whole number from 1 to 50, not "0"')
  await expect(candela(['setting', 'set', 'deviceLimit', '5x'])).rejects.toThrow('not "5x"')
  await expect(candela(['setting', 'set', 'deviceLimits', '5'])).rejects.toThrow('there is no setting "deviceLimits"')
  const lines = (await candela(['setting', 'list'])).out.split('\n')
  expect(lines.find((line) => line.startsWith('deviceLimit'))).toMatch(/^deviceLimit +5 +3 +never +devices/)
})

const setLimit = (name: string, value: string) => operators.give(name, 'setting', 'set', 'withdrawDayUsdt', value)

test('a setting that raises a limit is set by two, one that lowers it by one at once', async () => {
  expect(await setLimit('ada', '40000')).toEqual({ key: 'withdrawDayUsdt', before: 50_000, value: 40_000 })
  expect(await setLimit('ada', '40001')).toMatchObject({ state: expect.stringContaining('waits for another operator') })
  expect((await readSettings(db)).withdrawDayUsdt).toBe(40_000)
  // Another value is another proposal.
  expect(await setLimit('bob', '40002')).toMatchObject({ state: expect.stringContaining('waits for another operator') })
  expect(await setLimit('bob', '40001')).toEqual({ key: 'withdrawDayUsdt', before: 40_000, value: 40_001 })
  expect((await readSettings(db)).withdrawDayUsdt).toBe(40_001)
})

test('nothing is done without a key, on a dead database, or by a wrong word', async () => {
  const without = (...words: string[]) =>
    runCommand(words, { ...quiet, openKey: noKey, openDatabase: () => Promise.resolve(open(database.url)) })
  expect(await without('setting', 'list')).toBe(0)
  const before = (await audit()).length
  await expect(without('setting', 'set', 'deviceLimit', '4')).rejects.toThrow('sign with your key')
  expect((await audit()).length).toBe(before)
  const dead = 'postgres://candela@127.0.0.1:1/postgres'
  const onDead = runCommand(['setting', 'list'], {
    ...quiet,
    openKey: noKey,
    openDatabase: () => Promise.resolve(open(dead)),
  })
  await expect(onDead).rejects.toThrow('the database does not answer')
  const wrong = await candela(['setting', 'frobnicate'])
  expect(wrong).toMatchObject({ code: 1, out: '', err: expect.stringContaining('unknown command') })
  const help = await candela(['--help'])
  expect(help).toMatchObject({ code: 0, out: expect.stringContaining('invitation') })
})
const noKey = () => Promise.reject(new OperatorError('sign with your key'))
const quiet = { readTime: () => Promise.resolve(clock.now()), write: () => undefined, writeError: () => undefined }
const open = (url: string) => openDatabase({ url, log: silentLog(), poolSize: 1 })

test('there is nothing to resume while crediting goes on, and nothing in suspense of an empty ledger', async () => {
  await expect(candela(['chain', 'resume'])).rejects.toThrow('there is nothing to resume')
  expect((await candela(['suspense', 'list'])).out).toBe('none\n')
  expect((await candela(['chain', 'trouble'])).out).toBe('none\n')
})
