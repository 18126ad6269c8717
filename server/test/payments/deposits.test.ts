import { requestIdNamed } from '@candela/testing/server/request-id-named'
import { readFile } from 'node:fs/promises'
import { depositEndpoints } from '@candela/protocol/endpoints/deposit'
import type { Data } from '@candela/protocol/endpoints'
import type { AssetCode } from '@candela/protocol/money/assets'
import { NATIVE_ASSET } from '@candela/protocol/chain/action-data'
import { erc20Abi } from '@candela/protocol/abi/erc20'
import { DEFAULT_PAGE_LIMIT } from '@candela/protocol/page'
import { startTestChain, type TestChain } from '@candela/testing/chain/test-chain'
import { systemIds } from '@candela/server/kernel/ids'
import { getDepositOrder } from '@candela/server/modules/deposit/get-order'
import { listDeposits } from '@candela/server/modules/deposit/list-deposits'
import { listSuspense } from '@candela/server/modules/deposit/list-suspense'
import { addMember, WHOLE } from '@candela/server/modules/power/testing'
import { must } from '@candela/server/kernel/assert'
import { sql } from 'kysely'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assetAddress, DEPTH, startScenario } from './payments-scenario.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain({ atNoon: true })
})
afterAll(() => chain.stop())

type Announced = Data<'POST deposit/getOrder'>
let requests = 0

/** A scenario with the calls of the deposit screen, for one of its members. */
async function startDeposits() {
  const scenario = await startScenario(chain)
  const { db, clock, alice } = scenario
  const state = { maxHeadAge_s: Infinity, maxLag_blocks: Number.MAX_SAFE_INTEGER }
  const deps = { db, contracts: { gateway: chain.gateway, usdt: chain.usdt, hash: chain.hash } }
  const announce = (asset: AssetCode, amount: bigint, change: { requestId?: string; owner?: Hex } = {}) => {
    const { requestId = requestIdNamed(`deposit-${++requests}`, clock.now()), owner = alice } = change
    return getDepositOrder(
      {
        ...deps,
        ids: systemIds(clock),
        chainLimits: state,
      },
      { asset, amount, requestId },
      { memberId: scenario.memberOf(owner), now: clock.now() },
    )
  }
  return Object.assign(scenario, {
    state,
    announce,
    async list(owner: Hex = alice, input: { depositNo?: string; cursor?: string; limit?: number } = {}) {
      const page = await listDeposits(deps, { limit: DEFAULT_PAGE_LIMIT, ...input }, scenario.memberOf(owner))
      expect(depositEndpoints['GET deposit/list'].data.parse(page)).toEqual(page)
      return page
    },
    async deposit(depositNo: string, owner: Hex = alice) {
      const { items } = await listDeposits(deps, { depositNo, limit: DEFAULT_PAGE_LIMIT }, scenario.memberOf(owner))
      expect(items).toHaveLength(1)
      return items[0]
    },
    /** Sends exactly what the answer says. */
    send: ({ transaction: call }: Announced, from: Hex = alice) =>
      chain.send(from, call.to as Hex, call.data as Hex, BigInt(call.value)),
    async creditAll() {
      await scenario.mineAndFollow(DEPTH - 1)
      expect(await scenario.credit()).toMatchObject({ failed: 0 })
    },
  })
}

const payWith = (asset: AssetCode, amount: bigint, customer: Hex, reference: string, from: Hex = customer) =>
  chain.pay({ asset: assetAddress(chain, asset), amount, customer, reference, from })

describe('announcing', () => {
  test('says exactly what to send and what to approve, once for each request id', async () => {
    await using scenario = await startDeposits()
    const { alice } = scenario
    const requestId = requestIdNamed(`deposit-${++requests}`, scenario.clock.now())
    const answer = await scenario.announce('USDT', 5n * WHOLE, { requestId })
    expect(depositEndpoints['POST deposit/getOrder'].data.parse(answer)).toEqual(answer)
    const { depositNo } = answer.deposit
    expect(answer.deposit).toMatchObject({ asset: 'USDT', amount: '5', state: 'announced', payment: null })
    expect(answer.approval).toEqual({ token: chain.usdt, spender: chain.gateway, amount: String(5n * WHOLE) })
    expect(answer.transaction).toMatchObject({
      abiKey: 'deposit',
      value: '0',
      tuple: [String(5n * WHOLE), chain.usdt, alice, depositNo],
    })
    const ju = await scenario.announce('JU', WHOLE)
    expect(ju.approval).toBeNull()
    expect(ju.transaction).toMatchObject({
      value: String(WHOLE),
      tuple: [String(WHOLE), NATIVE_ASSET, alice, ju.deposit.depositNo],
    })
    expect((await scenario.announce('HASH', WHOLE)).approval?.token).toBe(chain.hash)

    expect(await scenario.announce('USDT', 5n * WHOLE, { requestId })).toEqual(answer)
    await expect(scenario.announce('USDT', 6n * WHOLE, { requestId })).rejects.toMatchObject({ code: 4090 })
    expect((await scenario.list()).items).toHaveLength(3)
    expect((await scenario.list(scenario.bob)).items).toEqual([])
  })

  test('refuses less than the minimum, and anything while the follower is behind', async () => {
    await using scenario = await startDeposits()
    await expect(scenario.announce('USDT', WHOLE - 1n)).rejects.toMatchObject({
      code: 4202,
      params: { minimum: '1 USDT' },
    })
    await sql`insert into setting (key, value, updated_at) values ('depositMinMicroUsdt', '2500000', now())`.execute(
      scenario.db,
    )
    await expect(scenario.announce('USDT', 2n * WHOLE)).rejects.toMatchObject({
      code: 4202,
      params: { minimum: '2.5 USDT' },
    })
    await scenario.announce('USDT', 3n * WHOLE)
    scenario.state.maxHeadAge_s = -1
    await expect(scenario.announce('USDT', 3n * WHOLE)).rejects.toMatchObject({ code: 5032 })
  })

  test('keeps so many unpaid ones at a time, also of calls at once; what is paid or lapsed makes room', async () => {
    await using scenario = await startDeposits()
    await sql`insert into setting (key, value, updated_at) values ('openDeposits', '3', now())`.execute(scenario.db)
    const all = await Promise.allSettled(Array.from({ length: 6 }, () => scenario.announce('USDT', 5n * WHOLE)))
    const made = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    expect(made).toHaveLength(3)
    for (const reason of refused) expect(reason).toMatchObject({ code: 4208, params: { limit: 3 } })
    const [first] = made
    await scenario.send(must(first, 'the first of three'))
    await scenario.mineAndFollow()
    await scenario.creditAll()
    await scenario.announce('USDT', 5n * WHOLE)
    await expect(scenario.announce('USDT', 5n * WHOLE)).rejects.toMatchObject({ code: 4208 })
    // Somebody else has room of their own.
    expect((await scenario.list(scenario.bob)).items).toEqual([])
    await sql`update deposit set created_at = created_at - interval '24 hours'`.execute(scenario.db)
    await scenario.announce('USDT', 5n * WHOLE)
  })
})

describe('what an announcement comes to', () => {
  test.each(['JU', 'USDT', 'HASH'] as const)('%s paid exactly: announced, counted, credited', async (asset) => {
    await using scenario = await startDeposits()
    const answer = await scenario.announce(asset, 7n * WHOLE)
    const { depositNo } = answer.deposit
    const txHash = await scenario.send(answer)
    await scenario.mineAndFollow()
    expect(await scenario.deposit(depositNo ?? '')).toMatchObject({
      state: 'confirming',
      payment: { txHash, confirmations: 1, confirmationsNeeded: DEPTH, outcome: null, amount: '7', asset },
    })
    expect(await scenario.available(scenario.alice, asset)).toBe(0n)
    await scenario.creditAll()
    expect(await scenario.deposit(depositNo ?? '')).toMatchObject({
      state: 'credited',
      payment: { txHash, confirmations: DEPTH, outcome: 'balance' },
    })
    expect((await scenario.list()).items).toHaveLength(1)
    expect(await scenario.available(scenario.alice, asset)).toBe(7n * WHOLE)
    await scenario.expectBooksToMatchTheChain()
  })

  test('another amount and another asset by its owner: what came is credited, beside what was announced', async () => {
    await using scenario = await startDeposits()
    const { alice } = scenario
    const less = (await scenario.announce('USDT', 7n * WHOLE)).deposit.depositNo ?? ''
    const other = (await scenario.announce('USDT', 8n * WHOLE)).deposit.depositNo ?? ''
    await payWith('USDT', 3n, alice, less)
    await payWith('HASH', 4n, alice, other)
    await scenario.mineAndFollow()
    expect(await scenario.deposit(other)).toMatchObject({ state: 'confirming' })
    await scenario.creditAll()
    expect(await scenario.deposit(less)).toMatchObject({
      state: 'credited',
      amount: '7',
      payment: { amount: '0.000000000000000003' },
    })
    expect(await scenario.deposit(other)).toMatchObject({
      state: 'credited',
      asset: 'USDT',
      payment: { asset: 'HASH' },
    })
    expect([await scenario.available(alice, 'USDT'), await scenario.available(alice, 'HASH')]).toEqual([3n, 4n])
    await scenario.expectBooksToMatchTheChain()
  })

  test('paid by somebody else: exactly it is the deposit, otherwise a gift beside it', async () => {
    await using scenario = await startDeposits()
    const { alice, stranger } = scenario
    const depositNo = (await scenario.announce('USDT', 7n * WHOLE)).deposit.depositNo ?? ''
    await payWith('USDT', WHOLE / 10n, alice, depositNo, stranger)
    await scenario.mineAndFollow()
    expect(await scenario.deposit(depositNo)).toMatchObject({ state: 'announced', payment: null })
    expect((await scenario.list()).items).toMatchObject([{ depositNo: null, state: 'confirming' }, { depositNo }])
    await payWith('USDT', 7n * WHOLE, alice, depositNo, stranger)
    await scenario.mineAndFollow()
    await scenario.creditAll()
    expect(await scenario.deposit(depositNo)).toMatchObject({
      state: 'credited',
      payment: { payer: stranger, amount: '7' },
    })
    expect((await scenario.list()).items).toHaveLength(2)
    expect(await scenario.available(alice, 'USDT')).toBe(7n * WHOLE + WHOLE / 10n)
    await scenario.expectBooksToMatchTheChain()
  })

  test('a number in a payment for another member is that member’s money and nobody’s announcement', async () => {
    await using scenario = await startDeposits()
    const { alice, bob } = scenario
    const depositNo = (await scenario.announce('USDT', 7n * WHOLE)).deposit.depositNo ?? ''
    await payWith('USDT', 7n * WHOLE, bob, depositNo, alice)
    await scenario.mineAndFollow()
    expect(await scenario.deposit(depositNo)).toMatchObject({ state: 'announced' })
    await scenario.creditAll()
    expect(await scenario.deposit(depositNo)).toMatchObject({ state: 'announced' })
    expect((await scenario.list(bob)).items).toMatchObject([{ depositNo: null, state: 'credited', amount: '7' }])
    expect([await scenario.available(alice, 'USDT'), await scenario.available(bob, 'USDT')]).toEqual([0n, 7n * WHOLE])
    await scenario.expectBooksToMatchTheChain()
  })

  test('one that was not paid can be paid from the list, until it is seen', async () => {
    await using scenario = await startDeposits()
    const answer = await scenario.announce('USDT', 7n * WHOLE)
    const depositNo = answer.deposit.depositNo ?? ''
    const listed = await scenario.deposit(depositNo)
    expect(listed?.transaction).toEqual(answer.transaction)
    await scenario.send({ ...answer, transaction: must(listed?.transaction, 'it is not paid') })
    await scenario.mineAndFollow()
    expect(await scenario.deposit(depositNo)).toMatchObject({ state: 'confirming', transaction: null })
    await scenario.creditAll()
    expect(await scenario.deposit(depositNo)).toMatchObject({ state: 'credited', transaction: null })
  })

  test('paid twice: the first one fulfils it, the second is money of its own', async () => {
    await using scenario = await startDeposits()
    const answer = await scenario.announce('USDT', 7n * WHOLE)
    const first = await scenario.send(answer)
    await scenario.send(answer)
    await scenario.mineAndFollow()
    expect((await scenario.list()).items.map(({ state }) => state)).toEqual(['confirming', 'confirming'])
    await scenario.creditAll()
    const again = await scenario.send(answer)
    await scenario.mineAndFollow()
    await scenario.creditAll()
    const { items } = await scenario.list()
    expect(items.filter(({ depositNo }) => depositNo !== null)).toMatchObject([{ payment: { txHash: first } }])
    expect(items[0]).toMatchObject({ depositNo: null, payment: { txHash: again } })
    expect(items).toHaveLength(3)
    expect(await scenario.available(scenario.alice, 'USDT')).toBe(21n * WHOLE)
    await scenario.expectBooksToMatchTheChain()
  })

  test('not paid for a day of the chain: lapsed; paid after that: credited all the same', async () => {
    await using scenario = await startDeposits()
    const answer = await scenario.announce('HASH', 7n * WHOLE)
    const { depositNo } = answer.deposit
    await scenario.wait(86_390)
    expect(await scenario.deposit(depositNo ?? '')).toMatchObject({ state: 'announced' })
    await scenario.wait(20)
    expect(await scenario.deposit(depositNo ?? '')).toMatchObject({ state: 'lapsed' })
    await scenario.send(answer)
    await scenario.mineAndFollow()
    expect(await scenario.deposit(depositNo ?? '')).toMatchObject({ state: 'confirming' })
    await scenario.creditAll()
    expect(await scenario.deposit(depositNo ?? '')).toMatchObject({ state: 'credited' })
    await scenario.expectBooksToMatchTheChain()
  })

  test('reorganised: announced again, then paid in another block, credited once', async () => {
    await using scenario = await startDeposits()
    const answer = await scenario.announce('USDT', 7n * WHOLE)
    const { depositNo } = answer.deposit
    const raw = await chain.rawOf(await scenario.send(answer))
    await scenario.mineAndFollow()
    expect(await scenario.deposit(depositNo ?? '')).toMatchObject({ state: 'confirming' })
    await chain.reorganise(1)
    await scenario.mineAndFollow()
    expect(await scenario.deposit(depositNo ?? '')).toMatchObject({ state: 'announced', payment: null })
    await chain.client.sendRawTransaction({ serializedTransaction: raw })
    await scenario.mineAndFollow()
    await scenario.creditAll()
    expect(await scenario.credit()).toEqual({ credited: 0, failed: 0 })
    expect(await scenario.deposit(depositNo ?? '')).toMatchObject({ state: 'credited' })
    expect((await scenario.list()).items).toHaveLength(1)
    expect(await scenario.available(scenario.alice, 'USDT')).toBe(7n * WHOLE)
    await scenario.expectBooksToMatchTheChain()
  })
})

describe('money that came unannounced', () => {
  test('is listed with its state: native and token transfers, deposits without a number, purchases that found no order', async () => {
    await using scenario = await startDeposits()
    const { alice, bob, stranger } = scenario
    await scenario.payNatively(5n * WHOLE, alice)
    await chain.send(
      alice,
      chain.usdt,
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [chain.gateway, 6n * WHOLE] }),
    )
    await payWith('HASH', 7n * WHOLE, stranger, 'whatever', alice)
    await payWith('HASH', 8n * WHOLE, alice, '', stranger)
    await chain.pay({
      key: 'buyPower',
      asset: chain.usdt,
      amount: 9n * WHOLE,
      customer: bob,
      reference: 'NO-SUCH-ORDER',
      from: alice,
    })
    await scenario.payNatively(11n * WHOLE, stranger)
    await scenario.mineAndFollow()
    const coming = (await scenario.list()).items
    expect(coming.every((item) => item.state === 'confirming' && item.depositNo === null)).toBe(true)
    // Whether a purchase finds no use is decided by its settlement.
    expect(coming.map(({ amount }) => amount).toSorted()).toEqual(['5', '6', '7', '8'])
    await scenario.creditAll()
    const { items } = await scenario.list()
    expect(items.every(({ state, payment }) => state === 'credited' && payment?.outcome === 'balance')).toBe(true)
    expect(items.map(({ amount }) => amount).toSorted()).toEqual(['5', '6', '7', '8', '9'])
    expect((await scenario.list(bob)).items).toEqual([])
    expect((await listSuspense(scenario.db, { skip: 0, limit: 9 })).map(({ amount }) => amount)).toEqual([11n * WHOLE])
    await scenario.expectBooksToMatchTheChain()
  })

  test('a list stays whose it was when an address becomes a member later', async () => {
    await using scenario = await startDeposits()
    const { alice, stranger } = scenario
    await payWith('HASH', 7n * WHOLE, stranger, '', alice)
    await scenario.mineAndFollow()
    await scenario.creditAll()
    await addMember(scenario.db, stranger)
    expect((await scenario.list(alice)).items).toMatchObject([{ state: 'credited' }])
    await scenario.expectBooksToMatchTheChain()
  })

  test('is paged with what was announced, each row once', async () => {
    await using scenario = await startDeposits()
    const { alice } = scenario
    for (let round = 0; round < 4; round++) {
      await scenario.send(await scenario.announce('USDT', WHOLE))
      await scenario.announce('HASH', WHOLE)
      await scenario.payNatively(WHOLE, alice)
      await scenario.payNatively(2n * WHOLE, alice)
      await scenario.mineAndFollow()
    }
    const all = (await scenario.list(alice, { limit: 100 })).items
    expect(all).toHaveLength(16)
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    )
    const paged: unknown[] = []
    for (let cursor: string | null | undefined = undefined; cursor !== null;) {
      const page = await scenario.list(alice, { limit: 3, ...(cursor === undefined ? {} : { cursor }) })
      paged.push(...page.items)
      cursor = page.nextCursor
    }
    expect(paged).toEqual(all)
    await expect(scenario.list(alice, { cursor: '17' })).rejects.toMatchObject({ code: 400 })
  })
})

test('what was credited before receipts were kept finds its member by the posting', async () => {
  await using scenario = await startDeposits()
  const { db, alice, bob, stranger } = scenario
  await payWith('USDT', 5n, alice, '')
  await payWith('USDT', 6n, bob, '')
  await scenario.payNatively(7n, bob)
  await scenario.payNatively(8n, stranger)
  await scenario.mineAndFollow()
  await scenario.creditAll()
  const receipts = () =>
    db.selectFrom('deposit_receipt').select(['chain_event_id', 'member_id']).orderBy('chain_event_id').execute()
  const before = await receipts()
  expect(before).toHaveLength(3)
  await db.deleteFrom('deposit_receipt').execute()
  // Receipts have had a time since a later migration.
  await sql`alter table deposit_receipt alter column at drop not null`.execute(scenario.ownerDb)
  const migration = await readFile(new URL('../../src/db/migrations/0040_deposit.sql', import.meta.url), 'utf8')
  await sql.raw(migration.slice(migration.indexOf('insert into deposit_receipt'))).execute(db)
  expect(await receipts()).toEqual(before)
})
