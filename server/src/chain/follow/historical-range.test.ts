import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../../test/testing/chain.ts'
import { startFollowingChain } from '../../../test/testing/follower.ts'
import { type FollowDeps, followOnce, initialSyncState } from './follow-blocks.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

test('only blocks twice as deep as the largest payment needs are read in ranges', async () => {
  await using setting = await startFollowingChain(chain)
  await chain.mine(80)
  const ranges: [bigint, bigint][] = []
  const { reader } = setting.deps
  const watched: FollowDeps = {
    ...setting.deps,
    reader: {
      ...reader,
      paymentsIn(from, to) {
        ranges.push([from, to])
        return reader.paymentsIn(from, to)
      },
    },
  }
  const sync = initialSyncState()
  while (await followOnce(watched, sync));
  const head = await chain.client.getBlockNumber()
  expect(await setting.status()).toMatchObject({ followed: head })
  const { large } = setting.deps.confirmations
  const last = ranges.map(([, to]) => to).reduce((a, b) => (a > b ? a : b), 0n)
  expect(last).toBeGreaterThan(head - 80n)
  expect(last).toBeLessThanOrEqual(head - 2n * BigInt(large))
})
