import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RpcError } from '../../../chain/ask.ts'
import type { PayoutSimulation } from '../../../chain/payout/payout-chain.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { whyUnpaid } from './why-unpaid.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.drop())

/** The block that our transaction is in; the one before it is 14. */
const MINED = 15n

const at = (number: bigint) => ({ number, hash: `0x${String(number).padStart(64, '0')}` })
const payment = {
  payer: `0x${'aa'.repeat(20)}`,
  terms: { payoutId: `0x${'01'.repeat(32)}`, asset: 'JU' as const, to: `0x${'bb'.repeat(20)}`, amount: 1n },
  transactions: [{ hash: `0x${'cc'.repeat(32)}`, gasPrice: 1n }],
}

const followedTo = (tip: bigint, final = MINED) => ({
  tip: { ...at(tip), at: new Date() },
  final: at(final),
  statesKept: 100n,
})

test('a node that shows none of our transactions decides nothing', async () => {
  const chain = { receipt: () => Promise.resolve(null), simulatePayout: () => Promise.reject(new Error('not asked')) }
  expect(await whyUnpaid({ db: own.db, chain }, payment, followedTo(20n))).toBe('none')
})

test('a payment that the node says has moved the money, or that is not final, is waited for', async () => {
  const chain = nodeWith({})
  const succeeded = { ...chain, receipt: () => Promise.resolve({ at: at(MINED), succeeded: true }) }
  expect(await whyUnpaid({ db: own.db, chain: succeeded }, payment, followedTo(20n))).toBe('wait')
  expect(await whyUnpaid({ db: own.db, chain }, payment, followedTo(20n, MINED - 1n))).toBe('wait')
})

type Found = Partial<PayoutSimulation>
const wellFunded: PayoutSimulation = { leftOfCap: 100n, held: 100n, gasBalance: 100n, refusal: 'NativePaymentFailed' }

/** A node that has our transaction in block 15, where it moved nothing, and says what the same payment would do in each block. */
const nodeWith = (tries: Readonly<Record<string, Found | 'another block' | 'no state'>>) => ({
  receipt: () => Promise.resolve({ at: at(MINED), succeeded: false }),
  simulatePayout: ({ number }: { number: bigint }): Promise<PayoutSimulation> => {
    const found = tries[String(number)] ?? {}
    if (typeof found === 'string') return Promise.reject(new RpcError('refused', found))
    return Promise.resolve({ ...wellFunded, ...found })
  },
})

const ask = (chain: ReturnType<typeof nodeWith>, tip = 20n) =>
  whyUnpaid({ db: own.db, chain }, payment, followedTo(tip))

describe('a payment that was mined and moved nothing', () => {
  const txHash = payment.transactions[0]?.hash

  test('is not charged by a node that has another branch than we follow', async () => {
    expect(await ask(nodeWith({}))).toBe('wait')
  })

  describe('in a block that we follow', () => {
    beforeAll(() =>
      own.db
        .insertInto('chain_block')
        .values({ number: MINED, hash: at(MINED).hash, parent_hash: at(MINED - 1n).hash, at: new Date() })
        .execute(),
    )

    test('is the recipient’s doing when it would have been paid but for the recipient', async () => {
      expect(await ask(nodeWith({}))).toEqual({ reason: 'reverted', txHash })
    })

    test.each<[string, Found]>([
      ['paused', { refusal: 'EnforcedPause' }],
      ['another payer', { refusal: 'NotPayer' }],
      ['the exit', { refusal: 'InExit' }],
      ['a node between two blocks', { refusal: 'CheckpointUnorderedInsertion' }],
      ['the cap', { leftOfCap: 0n }],
      ['too little held', { held: 0n }],
    ])('is ours when the cause ended with that block or began in it: %s', async (_name, cause) => {
      expect(await ask(nodeWith({ 14: cause }))).toEqual({ reason: 'unpaid', txHash })
      expect(await ask(nodeWith({ 15: cause }))).toEqual({ reason: 'unpaid', txHash })
    })

    test('is asked about again when a recent block is not to be had, and unclear when the state of an old one is gone', async () => {
      await expect(ask(nodeWith({ 14: 'another block' }))).rejects.toMatchObject({ failure: 'refused' })
      expect(await ask(nodeWith({ 14: 'no state' }), 1_000n)).toEqual({ reason: 'unclear', txHash })
    })
  })
})
