import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { startFollowingChain } from '@candela/testing/chain/follower'
import { fetchHistoricalRange } from './historical-range.ts'
import type { BlockHeader, ChainReader } from './read-chain.ts'
import { RpcError } from '../../ask.ts'
import { type FollowDeps, followOnce, initialSyncState } from '../follow-blocks.ts'

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
  // One range is enough for all of them, so it ends with the last block that may be in one.
  const sync = { ...initialSyncState(), blocks: 1_000n }
  while (await followOnce(watched, sync));
  const head = await chain.client.getBlockNumber()
  expect(await setting.status()).toMatchObject({ followed: head })
  const { large } = setting.deps.confirmations
  const last = ranges.map(([, to]) => to).reduce((a, b) => (a > b ? a : b), 0n)
  expect(last).toBe(head - 2n * BigInt(large))
})

test('a standstill is written down wherever it is in a range that is read at once, as it is block by block', async () => {
  const first = await chain.client.getBlockNumber()
  for (const blocks of [3, 1, 1, 40]) {
    await chain.client.increaseTime({ seconds: 3_600 })
    await chain.mine(blocks)
  }
  await chain.mine(60)
  const found = []
  for (const size of [1_000n, 4n, 1n]) {
    await using setting = await startFollowingChain(chain)
    const { deps } = setting
    await deps.db.updateTable('chain_cursor').set({ start_block: first }).execute()
    const sync = initialSyncState({ maxRange: size })
    sync.blocks = size
    while (await followOnce(deps, sync));
    const rows = await deps.db.selectFrom('chain_standstill').selectAll().orderBy('block_number').execute()
    found.push(rows.map(({ block_number }) => block_number - first))
    for (const { block_number, from_at, to_at } of rows) {
      const times = [block_number - 1n, block_number].map(async (number) => {
        return new Date(Number((await chain.client.getBlock({ blockNumber: number })).timestamp) * 1_000)
      })
      expect([from_at, to_at]).toEqual(await Promise.all(times))
    }
  }
  expect(found).toEqual([1n, 2n, 3n].map(() => [1n, 4n, 5n, 6n]))
})

const hashOf = (number: bigint, branch = 'a') => `0x${branch.repeat(8)}${number.toString(16).padStart(56, '0')}`
const blockOf = (number: bigint, branch?: string): BlockHeader => ({
  number,
  hash: hashOf(number, branch),
  parentHash: hashOf(number - 1n, branch),
  at: new Date(Number(number) * 1_000),
  logsBloom: '0x',
})
const notAsked = () => Promise.reject(new Error('not asked'))

describe('what a node answers about a range', () => {
  const tip = { number: 9n, hash: hashOf(9n) }

  /** Blocks 10 to 14 of a node that has `others` instead of some. */
  const fetch = (others: ReadonlyMap<bigint, BlockHeader | null>) => {
    const reader: ChainReader = {
      head: notAsked,
      headerOf: notAsked,
      paymentsOf: notAsked,
      headers: (numbers) =>
        Promise.resolve(numbers.map((one) => (others.has(one) ? (others.get(one) ?? null) : blockOf(one)))),
      paymentsIn: () => Promise.resolve([]),
      hasAll: () => true,
    }
    return fetchHistoricalRange({ reader, gateway: '0x', assets: new Map() }, tip, 10n, 14n)
  }

  test('is used when it has our tip and each block after it', async () => {
    expect(await fetch(new Map())).toMatchObject({ ours: blockOf(9n), last: blockOf(14n), payments: [] })
  })

  test.each([
    ['our tip', 9n],
    ['the first block', 10n],
    ['a block between', 12n],
    ['the last block', 14n],
  ])('is refused when it lacks %s', async (_name, missing) => {
    await expect(fetch(new Map([[missing, null]]))).rejects.toMatchObject({ failure: 'badAnswer' })
  })

  test('is refused when one block is of another branch', async () => {
    await expect(fetch(new Map([[12n, blockOf(12n, 'b')]]))).rejects.toMatchObject({ failure: 'badAnswer' })
  })
})

test('a limit on ranges is found with few refusals, and kept to', async () => {
  await using setting = await startFollowingChain(chain)
  const { reader } = setting.deps
  const sizes: number[] = []
  const paymentsIn = (from: bigint, to: bigint) => {
    const size = Number(to - from + 1n)
    sizes.push(size > 50 ? -size : size)
    return size > 50 ? Promise.reject(new RpcError('refused', 'range too wide')) : reader.paymentsIn(from, to)
  }
  await chain.mine(1_200)
  const deps = { ...setting.deps, reader: { ...reader, paymentsIn } }
  for (let isMore = true; isMore;) isMore = await followOnce(deps, setting.sync).catch(() => true)
  expect((await setting.status()).lag_blocks).toBe(0n)
  expect(sizes.filter((size) => size > 40).length).toBeGreaterThan(15)
  expect(sizes.filter((size) => size < 0).length).toBeLessThanOrEqual(4)
})

test('a range that the operator has set is never exceeded', async () => {
  await using setting = await startFollowingChain(chain)
  const { reader } = setting.deps
  const sizes: bigint[] = []
  const paymentsIn = (from: bigint, to: bigint) => {
    sizes.push(to - from + 1n)
    return reader.paymentsIn(from, to)
  }
  await chain.mine(200)
  const sync = initialSyncState({ maxRange: 20n })
  while (await followOnce({ ...setting.deps, reader: { ...reader, paymentsIn } }, sync));
  expect(sizes.filter((size) => size === 20n).length).toBeGreaterThan(3)
  expect(sizes.every((size) => size <= 20n)).toBe(true)
})
