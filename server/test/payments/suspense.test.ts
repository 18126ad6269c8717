import { startTestChain, type TestChain } from '../testing/chain.ts'
import { openDatabase } from '@candela/server/db/open'
import { silentLog } from '@candela/server/kernel/log'
import { WHOLE } from '@candela/server/modules/power/testing'
import { runCommand } from '@candela/server/operator/run-command'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPTH, type Scenario, startScenario } from './payments-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

type Item = { eventId: string; amount: string; asset: string; reference: string }

/** A command of the operator's, as typed. */
async function command<T>(scenario: Scenario, ...words: string[]): Promise<T> {
  let out = ''
  await runCommand(['--json', ...words], {
    clock: scenario.clock,
    operator: 'ada',
    openDatabase: () => Promise.resolve(openDatabase({ url: scenario.url, log: silentLog(), poolSize: 1 })),
    write: (text) => (out += text),
    writeError: (text) => (out += text),
  })
  return JSON.parse(out) as T
}

async function strangersPay(scenario: Scenario, ...amounts: bigint[]): Promise<Item[]> {
  for (const amount of amounts) await scenario.payNatively(amount, scenario.stranger)
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  return command<Item[]>(scenario, 'suspense', 'list')
}

test('what is in suspense goes to a member or to the desk, whole and once, and every command is written down', async () => {
  await using scenario = await startScenario(chain)
  const { db, alice } = scenario
  const [first, second, third] = await strangersPay(scenario, 3n * WHOLE, 4n * WHOLE, 5n * WHOLE)
  const { uid } = await db
    .selectFrom('member')
    .select('uid')
    .where('id', '=', scenario.memberOf(alice))
    .executeTakeFirstOrThrow()
  const assign = (item: Item | undefined, to: string) =>
    command<{ was: string; amount: string }>(scenario, 'suspense', 'assign', String(item?.eventId), '--to', to)

  expect(await assign(first, `member:${uid}`)).toMatchObject({ was: 'assigned', asset: 'JU', amount: '3' })
  expect(await assign(second, 'desk')).toMatchObject({ was: 'assigned', amount: '4' })
  expect(await assign(second, 'desk')).toMatchObject({ was: 'already', amount: '4' })
  await expect(assign(second, `member:${uid}`)).rejects.toThrow('was given to somebody else before')
  await expect(assign(third, 'member:99999999')).rejects.toThrow('no member with the UID')
  await expect(assign(third, 'fees')).rejects.toThrow('it is member:<uid>, or desk')
  await expect(assign({ ...third, eventId: '999' } as Item, 'desk')).rejects.toThrow('no payment 999 in suspense')

  expect(await scenario.available(alice, 'JU')).toBe(3n * WHOLE)
  expect(await scenario.platform('deskInventory', 'JU')).toBe(4n * WHOLE)
  expect(await scenario.platform('suspense', 'JU')).toBe(5n * WHOLE)
  expect(await command<Item[]>(scenario, 'suspense', 'list')).toMatchObject([{ amount: '5' }])
  const acts = await db.selectFrom('operator_audit').select(['operator', 'command', 'input']).orderBy('id').execute()
  expect(acts.filter((act) => act.command === 'suspense assign').map((act) => act.input)).toEqual([
    { id: first?.eventId, to: `member:${uid}` },
    { id: second?.eventId, to: 'desk' },
    { id: second?.eventId, to: 'desk' },
  ])
  await scenario.expectBooksToMatchTheChain()
})

test('ten operators at once give it once', async () => {
  await using scenario = await startScenario(chain)
  const [item] = await strangersPay(scenario, 7n * WHOLE)
  const calls = Array.from({ length: 10 }, () =>
    command<{ was: string }>(scenario, 'suspense', 'assign', String(item?.eventId), '--to', 'desk'),
  )
  const was = (await Promise.all(calls)).map((answer) => answer.was)
  expect(was.toSorted()).toEqual([...Array.from({ length: 9 }, () => 'already'), 'assigned'])
  expect(await scenario.platform('deskInventory', 'JU')).toBe(7n * WHOLE)
  await scenario.expectBooksToMatchTheChain()
})

test('a payment that has left the chain is nobody’s to give', async () => {
  await using scenario = await startScenario(chain)
  const [item] = await strangersPay(scenario, 6n * WHOLE)
  await scenario.db.updateTable('chain_event').set({ orphaned_at: scenario.clock.now() }).execute()
  const call = command(scenario, 'suspense', 'assign', String(item?.eventId), '--to', 'desk')
  await expect(call).rejects.toThrow('has left the chain')
  expect(await scenario.platform('deskInventory', 'JU')).toBe(0n)
})
