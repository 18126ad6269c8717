import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transaction } from '../../../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock } from '../../../../kernel/clock.ts'
import { systemIds } from '../../../../kernel/ids.ts'
import { keptLog } from '@candela/testing/server/kept-log'
import type { Followed } from '../../../../chain/payer/followed.ts'
import { memberAccount, platformAccount } from '../../../../ledger/chart.ts'
import { post } from '../../../../ledger/post.ts'
import { testMemo } from '../../../../ledger/testing/testing-memo.ts'
import { changeState, lockWithdrawal } from '../../change-state.ts'
import { recordPayment } from '../../../power/testing.ts'
import { insertWithdrawal } from '../../insert-withdrawal.ts'
import { RpcError } from '../../../../chain/ask.ts'
import type { At } from '../../../../chain/payout/payout-chain.ts'
import { endDeadPayouts, UNDECIDED } from './end-dead-payouts.ts'
import { storeTransaction } from '../sign-payout.ts'

const clock = fakeClock()
const owner = `0x${'a'.repeat(40)}`
const payer = `0x${'b'.repeat(40)}`
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
const at = (number: bigint) => ({ number, hash: hashOf(Number(number)) })
const followed: Followed & { final: At } = {
  tip: { ...at(20n), at: clock.now() },
  final: at(10n),
  finalState: at(10n),
  statesKept: 100n,
}
/** The block in which somebody else uses the nonce, and the transaction that does. */
const USED_IN = 5n
const foreign = hashOf(777)

let own: TestDatabase
let memberId: bigint
let nth = 0
/** Kinds of the notices of the withdrawal of a test. */
const told = async () =>
  (await own.db.selectFrom('notice').select('kind').where('source', 'like', `withdrawal:W${nth}:%`).execute()).map(
    ({ kind }) => kind,
  )

beforeAll(async () => {
  own = await createTestDatabase()
  const member = { address: owner, inviter_id: null, invitation_code: 'DEAD0001', joined_at: clock.now() }
  memberId = (await own.db.insertInto('member').values(member).returning('id').executeTakeFirstOrThrow()).id
  await own.db.insertInto('payer').values({ address: payer, next_nonce: 0n }).execute()
  await follow(followed.tip.hash)
  const blocks = Array.from({ length: 20 }, (_none, index) => BigInt(index + 1))
  await own.db
    .insertInto('chain_block')
    .values(blocks.map((number) => ({ ...at(number), parent_hash: at(number - 1n).hash, at: clock.now() })))
    .execute()
  const leg = { debit: platformAccount('custody', 'USDT'), credit: memberAccount(memberId, 'memberAvailable', 'USDT') }
  const posting = {
    kind: 'deposit' as const,
    legs: [{ ...leg, amount: 1_000n }],
    memo: testMemo(),
    occurredAt: clock.now(),
  }
  await transaction(own.db, (tx) => post(tx, { id: systemIds(clock).uuid(), ...posting }))
})
afterAll(() => own.drop())
beforeEach(async () => {
  nth += 1
  await follow(followed.tip.hash)
  await addSent()
})

/** The last block that the follower has recorded. */
const follow = (hash: string) =>
  own.db
    .insertInto('chain_cursor')
    .values({
      chain_id: 210_000n,
      gateway: payer,
      start_block: 1n,
      followed: followed.tip.number,
      followed_hash: hash,
      head: followed.tip.number,
      head_seen_at: clock.now(),
      halted_reason: null,
      head_at: clock.now(),
    })
    .onConflict((known) => known.column('only_row').doUpdateSet({ followed_hash: hash }))
    .execute()

/** A withdrawal of 40 whose payment is signed with a nonce that the chain has used for something else. */
async function addSent(): Promise<void> {
  const terms = {
    withdrawalNo: `W${nth}`,
    payoutId: hashOf(nth),
    memberId,
    asset: 'USDT' as const,
    amount: 40n,
    fee: 1n,
    to: owner,
  }
  await transaction(own.db, async (tx) => {
    await insertWithdrawal(tx, terms, { worth: 40n, approvals: 0, reason: null }, clock.now())
    const { id } = await tx
      .selectFrom('withdrawal')
      .select('id')
      .where('withdrawal_no', '=', `W${nth}`)
      .executeTakeFirstOrThrow()
    const row = await lockWithdrawal(tx, id)
    if (row === undefined) throw new Error('it was just added')
    const signed = { hash: hashOf(1_000 + nth), raw: '0x', withdrawalId: id, payer, nonce: BigInt(nth), gasPrice: 1n }
    await changeState(tx, row, 'sending', { payer, nonce: signed.nonce, txHash: signed.hash }, clock.now())
    await storeTransaction(tx, signed, clock.now())
  })
}

type Chain = Parameters<typeof endDeadPayouts>[0]['chain']
let lines: string[] = []

/** A node of a chain in which somebody else has used the nonce, but for what it answers otherwise. */
function run(answers: Partial<Chain> = {}, blocks: Followed = followed): Promise<number> {
  const { log, lines: kept } = keptLog('error')
  lines = kept
  const chain: Chain = {
    nonceAt: ({ number }) => Promise.resolve(BigInt(nth) + (number >= USED_IN ? 1n : 0n)),
    isPaid: () => Promise.resolve(false),
    payerAt: () => Promise.resolve(payer),
    receipt: (hash) => Promise.resolve(hash === foreign ? { at: at(USED_IN), succeeded: true } : null),
    sentBy: ({ number }) => Promise.resolve(number === USED_IN ? foreign : null),
    simulatePayout: () => Promise.reject(new Error('not asked')),
    ...answers,
  }
  return endDeadPayouts({ db: own.db, clock, log, chain }, blocks)
}

/** While it is asked whether the contract has paid. */
const during = (asked: () => Promise<unknown>) => ({ isPaid: () => asked().then(() => false) })
const usedEverywhere = { nonceAt: () => Promise.resolve(BigInt(nth) + 1n) }

const states = async () => {
  const steps = await own.db
    .selectFrom('withdrawal_step as step')
    .innerJoin('withdrawal', 'withdrawal.id', 'step.withdrawal_id')
    .select('step.state')
    .where('withdrawal_no', '=', `W${nth}`)
    .orderBy('step.id')
    .execute()
  return steps.map(({ state }) => state)
}

test('a payment that can never happen gives the money back, and its owner is told', async () => {
  expect(await run()).toBe(1)
  expect(await states()).toEqual(['queued', 'sending', 'failed'])
  expect(await told()).toEqual(['withdrawalFailed'])
})

test('nothing is given back after the followed blocks have changed since the node was asked', async () => {
  expect(await run(during(() => follow(hashOf(21))))).toBe(0)
  expect(await states()).toEqual(['queued', 'sending'])
  await follow(followed.tip.hash)
  expect(await run()).toBe(1)
})

test('of two workers that find it at once one gives the money back, and tells of it', async () => {
  expect(await run(during(async () => expect(await run()).toBe(1)))).toBe(0)
  expect(await states()).toEqual(['queued', 'sending', 'failed'])
  expect(await told()).toHaveLength(1)
})

/** A block that is followed pays the withdrawal. */
const pay = () =>
  recordPayment(own.db, {
    tx_hash: hashOf(2_000 + nth),
    action: 'paid',
    reference: hashOf(nth),
    asset: 'USDT',
    amount: 39n,
    payer,
    customer: owner,
  })

test('what a followed block pays is not asked about', async () => {
  let asked = 0
  const counting = {
    nonceAt: () => {
      asked += 1
      return Promise.resolve(BigInt(nth))
    },
  }
  expect(await run(counting)).toBe(0)
  expect(asked).toBeGreaterThan(0)
  asked = 0
  await pay()
  expect(await run(counting)).toBe(0)
  expect(asked).toBe(0)
  expect(await run()).toBe(0)
})

test('nothing is given back that a block pays which was followed while the node was asked', async () => {
  expect(await run(during(pay))).toBe(0)
  expect(await states()).toEqual(['queued', 'sending'])
})

const reasonOf = async () => {
  const row = await own.db
    .selectFrom('withdrawal')
    .select(['state', 'last_failure'])
    .where('withdrawal_no', '=', `W${nth}`)
    .executeTakeFirstOrThrow()
  return [row.state, row.last_failure]
}

describe('that its nonce is used is not enough by itself', () => {
  test.each<[string, () => Partial<Chain>]>([
    ['no block in which it was used', () => usedEverywhere],
    ['no transaction in that block', () => ({ sentBy: () => Promise.resolve(null) })],
    [
      'no state of a block on the way',
      () => ({
        nonceAt: ({ number }) =>
          number === 3n
            ? Promise.reject(new RpcError('refused', 'missing trie node'))
            : Promise.resolve(BigInt(nth) + (number >= USED_IN ? 1n : 0n)),
      }),
    ],
    ['another payer only at the tip', () => ({ ...usedEverywhere, payerAt: ({ number }) => payerFrom(20n, number) })],
    [
      'another payer only at the final block',
      () => ({ ...usedEverywhere, payerAt: ({ number }) => payerTo(10n, number) }),
    ],
    [
      'another payer, and a payment at the final block',
      () => ({
        ...usedEverywhere,
        payerAt: () => Promise.resolve(owner),
        isPaid: ({ number }) => Promise.resolve(number === 10n),
      }),
    ],
  ])('%s: an operator decides', async (_name, answers) => {
    expect(await run(answers())).toBe(0)
    expect(await reasonOf()).toEqual(['sending', UNDECIDED])
    expect(lines.join('')).toContain('payout.undecided')
    // Not asked about again before a minute is over, and then without another alarm.
    expect(await run()).toBe(0)
    clock.advance(60_000)
    expect(await run(answers())).toBe(0)
    expect(lines).toEqual([])
    clock.advance(60_000)
    expect(await run()).toBe(1)
  })

  test('another payer at a block that is not final yet does not show it', async () => {
    const replaced = { ...usedEverywhere, payerAt: () => Promise.resolve(owner) }
    expect(await run(replaced, { ...followed, final: at(9n) })).toBe(0)
    expect(await reasonOf()).toEqual(['sending', UNDECIDED])
  })

  test('a nonce that is used in a block that is not final yet is not looked into', async () => {
    const usedSince = { nonceAt: ({ number }: At) => Promise.resolve(BigInt(nth) + (number > 10n ? 1n : 0n)) }
    const replaced = { payerAt: () => Promise.resolve(owner) }
    expect(await run({ ...usedSince, ...replaced })).toBe(0)
    expect(await reasonOf()).toEqual(['sending', null])
    expect(await run({ ...usedEverywhere, ...replaced })).toBe(1)
  })

  test('before there is a final block nothing is ended', async () => {
    const replaced = { ...usedEverywhere, payerAt: () => Promise.resolve(owner) }
    expect(await run(replaced, { ...followed, final: null })).toBe(0)
    expect(await reasonOf()).toEqual(['sending', null])
    expect(await run(replaced)).toBe(1)
  })

  test('another payer at the final block and since, and no payment, show it, too', async () => {
    expect(await run({ ...usedEverywhere, payerAt: () => Promise.resolve(owner) })).toBe(1)
    expect(await states()).toEqual(['queued', 'sending', 'failed'])
  })
})

const payerFrom = (block: bigint, number: bigint) => Promise.resolve(number >= block ? owner : payer)
const payerTo = (block: bigint, number: bigint) => Promise.resolve(number <= block ? owner : payer)

describe('a transaction that has used the nonce', () => {
  const shallow = { ...followed, final: at(USED_IN - 1n) }
  /** A node that has dropped the states of these blocks since. */
  const forgotten = {
    ...usedEverywhere,
    sentBy: () => Promise.reject(new RpcError('refused', 'missing trie node')),
  }

  test('counts once its block is final, also where the states are gone by then', async () => {
    expect(await run({}, shallow)).toBe(0)
    expect(await reasonOf()).toEqual(['sending', null])
    expect(await run(forgotten, { ...followed, final: at(USED_IN) })).toBe(1)
  })

  test('that is ours is waited for', async () => {
    expect(await run({ sentBy: () => Promise.resolve(hashOf(1_000 + nth)) })).toBe(0)
    expect(await reasonOf()).toEqual(['sending', null])
  })

  test('that is ours is waited for, also where its receipt comes while the node is asked', async () => {
    const ours = hashOf(1_000 + nth)
    let asked = 0
    const late = {
      sentBy: () => Promise.resolve(ours),
      receipt: (hash: string) => {
        if (hash === ours) asked += 1
        return Promise.resolve(hash === ours && asked > 1 ? { at: at(USED_IN), succeeded: true } : null)
      },
    }
    expect(await run(late)).toBe(0)
    expect(asked).toBeGreaterThan(0)
    expect(await reasonOf()).toEqual(['sending', null])
  })

  test('does not count when its receipt names another block, or there is none', async () => {
    expect(
      await run({ receipt: (hash) => Promise.resolve(hash === foreign ? { at: at(6n), succeeded: true } : null) }),
    ).toBe(0)
    expect(await run({ receipt: () => Promise.resolve(null) })).toBe(0)
    expect(await reasonOf()).toEqual(['sending', null])
  })

  test('is looked for again when its block is followed no more', async () => {
    expect(await run({}, shallow)).toBe(0)
    await own.db
      .updateTable('payout_nonce_use')
      .set({ block_hash: hashOf(999) })
      .execute()
    expect(await run(usedEverywhere)).toBe(0)
    expect(await reasonOf()).toEqual(['sending', UNDECIDED])
  })
})
