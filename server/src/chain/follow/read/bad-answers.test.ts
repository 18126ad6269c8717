import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { startFollowingChain } from '@candela/testing/chain/follower'
import { followOnce, initialSyncState } from '../follow-blocks.ts'
import type { ChainReader } from './read-chain.ts'

/** A node whose answers do not fit together: it is asked again, and nothing of them is written. */

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

/** A follower at the head of a chain that has three more blocks since, and a node that answers some questions otherwise. */
async function startBehind(answers: (reader: ChainReader) => Partial<ChainReader>) {
  const setting = await startFollowingChain(chain)
  await chain.mine(3)
  await setting.follow()
  const before = await setting.status()
  await chain.mine(3)
  const reader = { ...setting.deps.reader, ...answers(setting.deps.reader) }
  return { ...setting, before, deps: { ...setting.deps, reader } }
}

test('blocks near the head of which one is missing', async () => {
  await using setting = await startBehind((reader) => ({
    headers: async (numbers) => (await reader.headers(numbers)).map((header, nth) => (nth === 1 ? null : header)),
  }))
  await expect(followOnce(setting.deps, initialSyncState())).rejects.toMatchObject({ failure: 'badAnswer' })
  expect((await setting.status()).followed).toBe(setting.before.followed)
})

test('a parent that is another block than was asked for', async () => {
  const foreign = `0x${'f'.repeat(64)}`
  await using setting = await startBehind((reader) => ({
    // One block above ours, on a branch that we do not know.
    async head() {
      const { number } = await reader.head()
      const [header] = await reader.headers([number - 2n])
      if (!header) throw new Error('the chain has it')
      return { ...header, parentHash: foreign }
    },
    headerOf: (hash) => (hash === foreign ? reader.head() : reader.headerOf(hash)),
  }))
  await expect(followOnce(setting.deps, initialSyncState())).rejects.toMatchObject({ failure: 'badAnswer' })
  expect((await setting.status()).followed).toBe(setting.before.followed)
})

test('a range that was fetched for a tip which was replaced since is fetched anew', async () => {
  await using setting = await startFollowingChain(chain)
  await chain.mine(80)
  const from = setting.startBlock
  const fetched = Promise.reject(new Error('of another tip'))
  fetched.catch(() => undefined)
  const head = Promise.resolve({ ...(await setting.deps.reader.head()), seenAt: setting.deps.clock.now() })
  const sync = {
    ...initialSyncState(),
    prefetched: { tipHash: `0x${'f'.repeat(64)}`, from, to: from + 15n, fetched, head },
  }
  while (await followOnce(setting.deps, sync));
  expect((await setting.status()).followed).toBe(await chain.client.getBlockNumber())
})
