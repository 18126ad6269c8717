import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WHOLE } from '@candela/server/modules/power/testing'
import { DEPTH, startScenario } from './payments-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

async function start() {
  const scenario = await startScenario(chain)
  const isOpen = async (owner: Hex) => {
    const { code_open_at } = await scenario.db
      .selectFrom('member')
      .select('code_open_at')
      .where('address', '=', owner)
      .executeTakeFirstOrThrow()
    return code_open_at !== null
  }
  const settle = async () => {
    await scenario.mineAndFollow(DEPTH)
    await scenario.credit()
  }
  return Object.assign(scenario, { isOpen, settle })
}

test('what is paid in opens the own code of whom it is for, once it is credited', async () => {
  await using scenario = await start()
  const { alice, bob, isOpen, settle, payNatively } = scenario
  await payNatively(WHOLE / 10n, alice)
  await settle()
  expect(await isOpen(alice)).toBe(false)
  await payNatively(WHOLE / 10n, alice)
  await scenario.mineAndFollow(1)
  await scenario.credit()
  expect(await isOpen(alice)).toBe(false)
  await settle()
  expect([await isOpen(alice), await isOpen(bob)]).toEqual([true, false])
})

test('a purchase opens it, and money of a stranger opens none', async () => {
  await using scenario = await start()
  const { alice, bob, stranger, isOpen, settle, payNatively } = scenario
  await payNatively(WHOLE, stranger)
  await scenario.payExactly(await scenario.order('JU', bob), bob)
  await settle()
  expect([await isOpen(alice), await isOpen(bob)]).toEqual([false, true])
})
