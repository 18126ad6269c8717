import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { WHOLE } from '@candela/server/modules/power/testing'
import { startOperators } from '@candela/server/operator/testing-operators'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEPTH, startScenario } from './payments-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

type Item = { id: string; amount: string; asset: string; reference: string }

/** A scenario with operators. Their names are ada and bob. */
async function startWithOperators() {
  const scenario = await startScenario(chain)
  return { ...scenario, operators: await startOperators(scenario.url, scenario.clock) }
}
type WithOperators = Awaited<ReturnType<typeof startWithOperators>>

async function strangersPay(scenario: WithOperators, ...amounts: bigint[]): Promise<Item[]> {
  for (const amount of amounts) await scenario.payNatively(amount, scenario.stranger)
  await scenario.mineAndFollow(DEPTH)
  await scenario.credit()
  return scenario.operators.give<Item[]>('ada', 'suspense', 'list')
}

test('what is in suspense goes to a member or to the desk, whole and once, and every command is written down', async () => {
  await using scenario = await startWithOperators()
  const { db, alice, operators } = scenario
  // The payment that is worth most comes first.
  const [third, second, first] = await strangersPay(scenario, 3n * WHOLE, 4n * WHOLE, 5n * WHOLE)
  const { uid } = await db
    .selectFrom('member')
    .select('uid')
    .where('id', '=', scenario.memberOf(alice))
    .executeTakeFirstOrThrow()
  const assign = (item: Item | undefined, to: string) =>
    operators.both<{ was: string; amount: string }>('suspense', 'assign', String(item?.id), '--to', to)

  expect(await assign(first, `member:${uid}`)).toMatchObject({ was: 'assigned', asset: 'JU', amount: '3' })
  expect(await assign(second, 'desk')).toMatchObject({ was: 'assigned', amount: '4' })
  expect(await assign(second, 'desk')).toMatchObject({ was: 'already', amount: '4' })
  await expect(assign(second, `member:${uid}`)).rejects.toThrow('was given to somebody else before')
  await expect(assign(third, 'member:99999999')).rejects.toThrow('no member with the UID')
  await expect(assign(third, 'fees')).rejects.toThrow('it is member:<uid>, or desk')
  await expect(assign({ ...third, id: '999' } as Item, 'desk')).rejects.toThrow('no payment 999 in suspense')

  expect(await scenario.available(alice, 'JU')).toBe(3n * WHOLE)
  expect(await scenario.platform('deskInventory', 'JU')).toBe(4n * WHOLE)
  expect(await scenario.platform('suspense', 'JU')).toBe(5n * WHOLE)
  expect(await operators.give<Item[]>('ada', 'suspense', 'list')).toMatchObject([{ amount: '5' }])
  const acts = await db
    .selectFrom('operator_audit')
    .select(['operator', 'input', 'outcome'])
    .where('command', '=', 'suspense assign')
    .orderBy('id')
    .execute()
  const inputs = [
    { id: first?.id, to: `member:${uid}` },
    { id: second?.id, to: 'desk' },
    { id: second?.id, to: 'desk' },
  ]
  expect(acts).toEqual(
    inputs.flatMap((input) => [
      { operator: 'ada', input, outcome: 'proposed' },
      { operator: 'bob', input, outcome: 'done' },
    ]),
  )
  await scenario.expectBooksToMatchTheChain()
})

test('one operator gives nothing to anybody; ten commands of two at once give it once', async () => {
  await using scenario = await startWithOperators()
  const { give } = scenario.operators
  const [item] = await strangersPay(scenario, 7n * WHOLE)
  const words = ['suspense', 'assign', String(item?.id), '--to', 'desk']
  expect(await give('ada', ...words)).toMatchObject({ state: expect.stringContaining('waits for another operator') })
  await expect(give('ada', ...words)).rejects.toThrow('ada has signed this already')
  expect(await scenario.platform('deskInventory', 'JU')).toBe(0n)
  const calls = Array.from({ length: 10 }, (_, nth) => give<{ was?: string }>(nth % 2 === 0 ? 'bob' : 'ada', ...words))
  const answers = await Promise.allSettled(calls)
  const was = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.was : undefined))
  expect(was.filter((each) => each === 'assigned')).toHaveLength(1)
  expect(await scenario.platform('deskInventory', 'JU')).toBe(7n * WHOLE)
  await scenario.expectBooksToMatchTheChain()
})

test('a payment that has left the chain is nobody’s to give', async () => {
  await using scenario = await startWithOperators()
  const [item] = await strangersPay(scenario, 6n * WHOLE)
  await scenario.db.updateTable('chain_event').set({ orphaned_at: scenario.clock.now() }).execute()
  const call = scenario.operators.give('ada', 'suspense', 'assign', String(item?.id), '--to', 'desk')
  await expect(call).rejects.toThrow('has left the chain')
  expect(await scenario.platform('deskInventory', 'JU')).toBe(0n)
})
