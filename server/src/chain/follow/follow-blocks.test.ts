import { startAnvil } from '@candela/testing/chain/anvil'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { CHAIN_ID } from '@candela/protocol/chain/network'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { silentLog } from '../../kernel/log.ts'
import { RpcError } from '../ask.ts'
import { followOnce } from './follow-blocks.ts'
import { runLoop } from '../../jobs/loop.ts'
import { resumeCrediting, startFollowing } from './start-following.ts'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import {
  expectCreditedOnce,
  type Following,
  paidOnChain,
  recordedKeys,
  startFollowingChain,
} from '@candela/testing/chain/follower'
import { type Fault, startFaultyProxy } from '@candela/testing/proxies/faulty-proxy'

const unit = 10n ** 18n

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

const withoutIds = async (setting: Following) => (await setting.events()).map((event) => ({ ...event, id: 0n }))

describe('recording and crediting', () => {
  test('payments are recorded as they are and credited at their depth, not before', async () => {
    await using setting = await startFollowingChain(chain)
    const [payer = NATIVE_ASSET, other = NATIVE_ASSET] = chain.payers
    await chain.pay({ key: 'buyPower', amount: 7n * unit, reference: '20260101-ABCDEFGHJK', customer: other })
    await chain.pay({ asset: NATIVE_ASSET, amount: 3n })
    await chain.pay({ amount: 10_001n * unit })
    await chain.send(other, chain.gateway, '0x', 9n)
    await chain.mine()
    await setting.follow()
    const events = await setting.events()
    expect(recordedKeys(events)).toEqual(await paidOnChain(chain, setting))
    expect(events).toMatchObject([
      {
        action: 'buyPower',
        reference: '20260101-ABCDEFGHJK',
        asset: 'USDT',
        amount: 7n * unit,
        payer,
        customer: other,
      },
      { action: 'deposit', reference: '', asset: 'JU', amount: 3n, payer, customer: payer },
      { action: 'deposit', asset: 'USDT', confirmations_needed: 5 },
      { action: 'native', reference: '', asset: 'JU', amount: 9n, payer: other, customer: other },
    ])
    // JU has no price here, and an unknown worth waits as long as a large one.
    expect(events.map((event) => event.confirmations_needed)).toEqual([2, 5, 5, 5])
    expect(await setting.credit()).toEqual({ credited: 0, failed: 0 })
    await chain.mine()
    // The head is deep enough, but the follower has not been there.
    await setting.db
      .updateTable('chain_cursor')
      .set({ head: await chain.client.getBlockNumber() })
      .execute()
    expect(await setting.credit()).toEqual({ credited: 0, failed: 0 })
    await setting.follow()
    expect(await setting.credit()).toEqual({ credited: 1, failed: 0 })
    await chain.mine(3)
    await setting.follow()
    expect(await setting.credit()).toEqual({ credited: 3, failed: 0 })
    expect(await setting.credit()).toEqual({ credited: 0, failed: 0 })
    await expectCreditedOnce(setting)
    expect(await setting.status()).toMatchObject({ lag_blocks: 0n, lag_s: 0, waiting: 0, failing: 0, orphaned: 0 })
  })

  test('a long way is covered in ranges, and gives the same rows as block by block', async () => {
    await using near = await startFollowingChain(chain)
    for (let round = 0; round < 8; round++) {
      await chain.pay({ amount: BigInt(round + 1) })
      await chain.pay({ amount: BigInt(round + 1) })
      await chain.mine(7)
      await near.follow()
    }
    await chain.mine(60)
    await near.follow()
    await using far = await startFollowingChain(chain, { startBlock: near.startBlock })
    far.sync.blocks = 11n
    await far.follow()
    const blocks = await far.db.selectFrom('chain_block').select('number').execute()
    expect(blocks.length).toBeLessThan(Number((await far.status()).followed - far.startBlock))
    expect(await withoutIds(far)).toEqual(await withoutIds(near))
    expect(recordedKeys(await far.events())).toEqual(await paidOnChain(chain, far))
    await far.credit()
    await expectCreditedOnce(far)
  })

  test('another contract, chain or first block on the same database is refused', async () => {
    await using setting = await startFollowingChain(chain)
    const own = { chainId: CHAIN_ID, gateway: chain.gateway, startBlock: setting.startBlock }
    const start = (change: Partial<typeof own>) =>
      transaction(setting.db, (tx) => startFollowing(tx, { ...own, ...change }, setting.clock.now()))
    await start({})
    const [other, later] = [CHAIN_ID + 1, own.startBlock + 1n]
    await expect(start({ gateway: chain.usdt })).rejects.toThrow(`the settings say ${chain.usdt}`)
    await expect(start({ chainId: other })).rejects.toThrow(`${chain.gateway} on chain ${other} from`)
    await expect(start({ startBlock: later })).rejects.toThrow(`on chain ${CHAIN_ID} from block ${later}`)
  })
})

describe('reorganisations', () => {
  test('before the depth: reverted, and credited once after it came back in another block', async () => {
    await using setting = await startFollowingChain(chain)
    await chain.pay({ amount: 1n })
    await chain.mine(2)
    const moving = await chain.pay({ amount: 2n })
    const vanishing = await chain.pay({ amount: 3n, from: chain.payers[1] as Hex })
    await chain.mine()
    await setting.follow()
    expect((await setting.events()).map(({ amount }) => amount)).toEqual([1n, 2n, 3n])
    expect((await setting.credit()).credited).toBe(1)
    const raw = await chain.rawOf(moving)
    await chain.reorganise(1)
    await setting.follow()
    expect((await setting.events()).map(({ amount, state }) => [amount, state])).toEqual([[1n, 'credited']])
    // The lost transaction comes back behind another one, so its log has another index.
    await chain.pay({ amount: 4n, from: chain.payers[2] as Hex })
    await chain.client.sendRawTransaction({ serializedTransaction: raw }).catch(() => moving)
    await chain.mine(3)
    await setting.follow()
    expect((await setting.credit()).credited).toBeGreaterThanOrEqual(2)
    const events = await setting.events()
    expect(recordedKeys(events)).toEqual(await paidOnChain(chain, setting))
    expect(events.filter(({ tx_hash }) => tx_hash === moving)).toHaveLength(1)
    expect(events.filter(({ tx_hash }) => tx_hash === vanishing).length).toBeLessThanOrEqual(1)
    expect((await setting.status()).haltedReason).toBeNull()
    await expectCreditedOnce(setting)
  })

  test('of credited payments: crediting stops, recording goes on, and nothing is credited twice after resuming', async () => {
    await using setting = await startFollowingChain(chain)
    const moving = await chain.pay({ amount: 5n })
    const raw = await chain.rawOf(moving)
    await chain.mine(3)
    await setting.follow()
    expect((await setting.credit()).credited).toBe(1)
    // The payment comes back two blocks later, behind another one: same transaction, other block, other log index.
    await chain.reorganise(4)
    await setting.follow()
    const halted = await setting.status()
    expect(halted.haltedReason).toContain(`1 credited payments are off the chain, first ${moving}`)
    expect(halted).toMatchObject({ orphaned: 1, lag_blocks: 0n })
    await chain.pay({ amount: 6n, from: chain.payers[3] as Hex })
    await chain.client.sendRawTransaction({ serializedTransaction: raw }).catch(() => moving)
    await chain.mine(4)
    await setting.follow()
    expect(await setting.credit()).toEqual({ credited: 0, failed: 0 })
    expect(await setting.status()).toMatchObject({ orphaned: 0, waiting: 1 })
    expect(recordedKeys(await setting.events())).toEqual(await paidOnChain(chain, setting))
    const reason = await transaction(setting.db, (tx) => resumeCrediting(tx))
    expect(reason).toBe(halted.haltedReason)
    expect(await setting.credit()).toEqual({ credited: 1, failed: 0 })
    expect((await setting.events()).every(({ state }) => state === 'credited')).toBe(true)
    await expectCreditedOnce(setting)
  })

  test('below every block that is kept: the shared part is found, crediting stops', async () => {
    await using setting = await startFollowingChain(chain)
    const kept = await chain.pay({ amount: 1n })
    await chain.mine(2)
    await chain.pay({ amount: 2n })
    await chain.mine(6)
    await setting.follow()
    // As if the node had been away so long that only the newest blocks were kept.
    await setting.db
      .deleteFrom('chain_block')
      .where('number', '<', (await setting.status()).followed - 1n)
      .execute()
    await chain.reorganise(7)
    await chain.mine(1)
    await setting.follow()
    expect((await setting.status()).haltedReason).toContain('below every block that was kept')
    const events = await setting.events()
    expect(recordedKeys(events)).toEqual(await paidOnChain(chain, setting))
    expect(events[0]?.tx_hash).toBe(kept)
    expect((await setting.status()).lag_blocks).toBe(0n)
  })

  test('while the follower was away', async () => {
    await using setting = await startFollowingChain(chain)
    await chain.pay({ amount: 1n })
    await chain.mine(2)
    await setting.follow()
    await chain.reorganise(2)
    await chain.mine(100)
    await chain.pay({ amount: 2n })
    await chain.mine(2)
    await setting.follow()
    expect(recordedKeys(await setting.events())).toEqual(await paidOnChain(chain, setting))
    expect((await setting.status()).lag_blocks).toBe(0n)
  })
})

describe('a node that does not do its part', () => {
  test('a node on another chain is refused before its first block', async () => {
    const other = await startAnvil({ chainId: 31_337 })
    try {
      await using setting = await startFollowingChain(chain, { url: other.url })
      await expect(setting.follow()).rejects.toThrow('the node is on chain 31337, not 210000')
      await expect(setting.follow()).rejects.toThrow('the node is on chain 31337, not 210000')
    } finally {
      await other.stop()
    }
  })

  test('one look at another chain changes nothing, and the next at the right one goes on', async () => {
    const other = await startAnvil({ chainId: 31_337 })
    try {
      let url = chain.url
      await using proxy = await startFaultyProxy(
        () => url,
        () => 'pass',
      )
      await using setting = await startFollowingChain(chain, { url: proxy.url })
      await chain.pay({})
      await chain.mine(3)
      await setting.follow()
      expect((await setting.credit()).credited).toBe(1)
      const before = await setting.status()
      // Longer than ours, so that it would be followed.
      const mine = { method: 'anvil_mine', params: [Number(before.head) + 100], id: 1, jsonrpc: '2.0' }
      await fetch(other.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(mine),
      })
      url = other.url
      await expect(setting.follow()).rejects.toMatchObject({ failure: 'wrongChain' })
      expect(await setting.status()).toEqual(before)
      url = chain.url
      await chain.pay({})
      await chain.mine(3)
      await setting.follow()
      expect((await setting.credit()).credited).toBe(1)
      expect(await setting.status()).toMatchObject({ orphaned: 0, haltedReason: null, lag_blocks: 0n })
      await expectCreditedOnce(setting)
    } finally {
      await other.stop()
    }
  })

  test('a node that stalls answers, and what it says grows old by the chain’s own time', async () => {
    await using setting = await startFollowingChain(chain)
    expect((await setting.status()).lag_s).toBe(Infinity)
    await chain.mine()
    await setting.follow()
    const { timestamp } = await chain.client.getBlock()
    setting.clock.set(new Date(Number(timestamp) * 1000))
    await setting.follow()
    expect((await setting.status()).lag_s).toBe(0)
    setting.clock.set(new Date((Number(timestamp) + 6 * 3_600) * 1000))
    await setting.follow()
    expect(await setting.status()).toMatchObject({ lag_blocks: 0n, lag_s: 6 * 3_600 })
  })

  test('logs that a node leaves out of a long range are found by each block’s own filter', async () => {
    await using setting = await startFollowingChain(chain)
    await chain.pay({})
    await chain.mine(2)
    await chain.send(chain.payers[1] as Hex, chain.gateway, '0x', 9n)
    await chain.mine(60)
    const { reader } = setting.deps
    let left = 0
    setting.deps.reader = {
      ...reader,
      async paymentsIn(from, to) {
        left += (await reader.paymentsIn(from, to)).length
        return []
      },
    }
    await setting.follow()
    expect(left).toBeGreaterThan(0)
    expect(await setting.events()).toHaveLength(2)
    expect(recordedKeys(await setting.events())).toEqual(await paidOnChain(chain, setting))
  })

  test('each kind of failure is named, and nothing of the range is written', async () => {
    let fault: Fault = 'pass'
    await using proxy = await startFaultyProxy(chain.url, (method) => (method === 'eth_getLogs' ? fault : 'pass'))
    await using setting = await startFollowingChain(chain, { url: proxy.url })
    await chain.pay({})
    await chain.mine()
    const seen: string[] = []
    for (fault of ['http500', 'hangUp', 'refuse', 'garbage', 'noLogs'] as const) {
      const failure: unknown = await setting.follow().catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(RpcError)
      if (!(failure instanceof RpcError)) throw failure
      expect(failure.message).not.toContain('http://')
      seen.push(failure.failure)
      expect(await setting.events()).toEqual([])
    }
    // "No logs" from a node that lacks the block is seen through, because the block's bloom says otherwise.
    expect(seen).toEqual(['unreachable', 'unreachable', 'refused', 'badAnswer', 'badAnswer'])
    fault = 'pass'
    await setting.follow()
    expect(await setting.events()).toHaveLength(1)
  })

  test('payments of a long range must be of the blocks that the node itself shows', async () => {
    await using setting = await startFollowingChain(chain)
    await chain.pay({})
    await chain.mine(60)
    const { reader } = setting.deps
    const foreign: Hex = `0x${'f'.repeat(64)}`
    let isHonest = false
    setting.deps.reader = {
      ...reader,
      async paymentsIn(from, to) {
        const logs = await reader.paymentsIn(from, to)
        return isHonest ? logs : logs.map((log) => ({ ...log, blockHash: foreign }))
      },
    }
    await expect(setting.follow()).rejects.toThrow('logs of another block')
    expect(await setting.events()).toEqual([])
    isHonest = true
    await setting.follow()
    expect(recordedKeys(await setting.events())).toEqual(await paidOnChain(chain, setting))
  })

  test('a refused range is halved until the node takes it', async () => {
    await using setting = await startFollowingChain(chain)
    for (let nth = 0; nth < 4; nth++) {
      await chain.pay({})
      await chain.mine(10)
    }
    await chain.mine(40)
    const asked: bigint[] = []
    const { reader } = setting.deps
    setting.deps.reader = {
      ...reader,
      paymentsIn: (from, to) => {
        asked.push(to - from + 1n)
        if (to - from >= 5n) return Promise.reject(new RpcError('refused', 'range too wide'))
        return reader.paymentsIn(from, to)
      },
    }
    setting.sync.blocks = 16n
    await expect(setting.follow()).rejects.toThrow('range too wide')
    await expect(setting.follow()).rejects.toThrow('range too wide')
    await setting.follow().catch(() => undefined)
    expect(asked.slice(0, 3)).toEqual([16n, 8n, 4n])
    for (let round = 0; round < 30; round++) await setting.follow().catch(() => undefined)
    expect(recordedKeys(await setting.events())).toEqual(await paidOnChain(chain, setting))
  })

  test('with a third of all requests failing and blocks being replaced, every payment is credited once', async () => {
    let seed = 42
    const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
    const faults: Fault[] = ['http500', 'hangUp', 'refuse', 'garbage', 'noLogs']
    await using proxy = await startFaultyProxy(chain.url, () =>
      random() < 0.33 ? (faults[Math.floor(random() * faults.length)] ?? 'pass') : 'pass',
    )
    await using setting = await startFollowingChain(chain, { url: proxy.url })
    const following = runLoop({
      name: 'follow',
      work: () => followOnce(setting.deps, setting.sync),
      interval_ms: 5,
      longestPause_ms: 20,
      log: silentLog(),
    })
    const crediting = runLoop({
      name: 'credit',
      work: async () => (await setting.credit()).credited > 0,
      interval_ms: 5,
      log: silentLog(),
    })
    for (let nth = 0; nth < 40; nth++) {
      await chain.pay({ amount: BigInt(nth + 1), from: chain.payers[nth % 8] as Hex })
      if (nth % 3 === 0) await chain.mine()
      if (nth % 13 === 12) await chain.reorganise(1)
    }
    await chain.mine(3)
    const expected = await paidOnChain(chain, setting)
    const head = await chain.client.getBlockNumber()
    await expect.poll(() => setting.status()).toMatchObject({ lag_blocks: 0n, waiting: 0, followed: head })
    await Promise.all([following.stop(), crediting.stop()])
    expect(recordedKeys(await setting.events())).toEqual(expected)
    expect((await setting.events()).every(({ state }) => state === 'credited')).toBe(true)
    await expectCreditedOnce(setting)
  })
})
