import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../kernel/assert.ts'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { startFollowingChain } from '@candela/testing/chain/follower'
import { findCommonAncestor } from './find-common-ancestor.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

test('the highest block with a payment that counts and that the node has', async () => {
  await using setting = await startFollowingChain(chain)
  for (const amount of [1n, 2n, 3n]) {
    await chain.pay({ amount })
    await chain.mine()
  }
  await chain.mine(5)
  await setting.follow()
  expect((await setting.credit()).credited).toBe(3)
  const [first, second, third] = (await setting.events()).map(({ block_number }) => block_number)
  const { reader } = setting.deps
  /** The number of the ancestor that is found with a node that lacks some blocks. */
  const found = async (...missing: (bigint | undefined)[]) => {
    const headers: typeof reader.headers = async (numbers) =>
      (await reader.headers(numbers)).map((header) => (missing.includes(header?.number) ? null : header))
    return (await findCommonAncestor(setting.db, { ...reader, headers }))?.number
  }
  expect(await found()).toBe(third)
  expect(await found(third)).toBe(second)
  expect(await found(third, second)).toBe(first)
  expect(await found(third, second, first)).toBeUndefined()
  // A payment that left the chain says nothing of our records, though the node may have its block again.
  await setting.db
    .updateTable('chain_event')
    .set({ orphaned_at: setting.clock.now() })
    .where('block_number', '=', must(first, 'it was recorded'))
    .execute()
  expect(await found(third, second)).toBeUndefined()
})
