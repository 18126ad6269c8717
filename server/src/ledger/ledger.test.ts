import { assetCodes } from '@candela/protocol/money/assets'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, transaction } from '../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { uuidFromName } from '../kernel/ids.ts'
import { auditLedger } from './audit.ts'
import { accountBalance, trialBalance } from './balances.ts'
import { type AccountId, isFloored, memberAccount, platformAccount } from './chart.ts'
import { type Posting, postBatch } from './post.ts'
import { rollUp } from './upkeep/roll-up.ts'
import { LedgerModel } from './testing/testing-model.ts'
import { testMemo } from './testing/testing-memo.ts'

/** Properties over random batches on a real Postgres, each compared with the model in TypeScript. */

let own: TestDatabase
let db: Database
beforeAll(async () => {
  own = await createTestDatabase()
  db = own.db
})
afterAll(() => own.drop())

let scenario = 0
const members = 4

/** The few accounts of one run, for members that no other run uses, so that every run starts from nothing. */
function accountsOf(asset: (typeof assetCodes)[number], run: number): AccountId[] {
  const base = BigInt(run * members)
  const spendable = Array.from({ length: members }, (_, place) =>
    memberAccount(base + BigInt(place) + 1n, 'memberAvailable', asset),
  )
  const held = memberAccount(base + 1n, 'memberHeld', asset)
  return [...spendable, held, platformAccount('custody', asset), platformAccount('salesRevenue', asset)]
}

// Mostly small, so that accounts often run dry in the middle of a batch and recover.
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 1n, max: 9n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 10n ** 30n }) },
)
const place = fc.nat({ max: members + 2 })
// Half of the money comes from custody: then a batch often ends well although somebody was short on the way.
const source = fc.oneof(place, fc.constant(members + 1))
const leg = fc
  .record({ asset: fc.constantFrom(...assetCodes), from: source, to: place, amount })
  .filter(({ from, to }) => from !== to)
const draft = fc.record({
  // Few numbers and two kinds: the same id comes again, with the same and with other content.
  id: fc.nat({ max: 30 }),
  kind: fc.constantFrom('deposit' as const, 'transfer' as const),
  legs: fc.array(leg, { minLength: 1, maxLength: 4 }),
  repeats: fc.boolean(),
})
type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never

function postingsFrom(drafts: readonly Draft[], run: number): Posting[] {
  const first = new Map<number, Posting>()
  return drafts.map(({ id, kind, legs, repeats }) => {
    const posting = {
      id: uuidFromName(`run ${run} posting ${id}`),
      kind,
      legs: legs.map(({ asset, from, to, amount: value }) => {
        const accounts = accountsOf(asset, run)
        return { debit: accounts[from] ?? 0n, credit: accounts[to] ?? 0n, amount: value }
      }),
      memo: { run, note: `of ${id}`, nested: { b: 1, a: [true, null] } },
      occurredAt: new Date('2026-01-01T00:00:00Z'),
      // The ledger itself stores any JSON.
    } as unknown as Posting
    const earlier = first.get(id)
    if (!earlier) first.set(id, posting)
    return repeats && earlier ? earlier : posting
  })
}

const shortBatch = fc.array(draft, { maxLength: 4 })
const longBatch = fc.array(draft, { maxLength: 25 })

describe('random batches', () => {
  test('answers, balances and versions are those of the model, and the audit finds nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(shortBatch, longBatch), { minLength: 1, maxLength: 6 }), async (batches) => {
        const run = ++scenario
        const model = new LedgerModel()
        const platformBefore = await platformBalances()
        for (const drafts of batches) {
          const postings = postingsFrom(drafts, run)
          const outcomes = await transaction(db, (tx) => postBatch(tx, postings))
          expect(outcomes).toEqual(postings.map((posting) => model.post(posting)))
        }
        if (run % 3 === 0) await transaction(db, rollUp)
        for (const asset of assetCodes) {
          for (const account of accountsOf(asset, run)) {
            const balance = await accountBalance(db, account)
            expect(balance - (platformBefore.get(account) ?? 0n)).toBe(model.balances.get(account) ?? 0n)
            if (isFloored(account)) expect(balance).toBeGreaterThanOrEqual(0n)
          }
        }
      }),
      { numRuns: 100 },
    )
    expect(await auditLedger(db)).toEqual([])
    for (const asset of assetCodes) {
      const lines = (await trialBalance(db)).filter((line) => line.asset === asset)
      expect(lines.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n)
    }
  })

  test('without overdrafts the order of arrival does not matter for the end balances', async () => {
    await fc.assert(
      fc.asyncProperty(draftsInTwoOrders, async ([drafts, order]) => {
        const inOrder = await endBalances(
          drafts,
          drafts.map((_, index) => index),
        )
        expect(await endBalances(drafts, order)).toEqual(inOrder)
      }),
      { numRuns: 30 },
    )
    expect(await auditLedger(db)).toEqual([])
  })
})

const draftsInTwoOrders = fc.array(draft, { minLength: 2, maxLength: 20 }).chain((drafts) => {
  const indexes = drafts.map((_, index) => index)
  return fc.tuple(fc.constant(drafts), fc.shuffledSubarray(indexes, { minLength: drafts.length }))
})

async function endBalances(drafts: readonly Draft[], order: readonly number[]): Promise<bigint[]> {
  const run = ++scenario
  const distinct = drafts.map((item, index) => ({ ...item, id: index, repeats: false }))
  const postings = postingsFrom(distinct, run)
  await transaction(db, (tx) => postBatch(tx, fundingOf(run)))
  for (const index of order) {
    const outcomes = await transaction(db, (tx) => postBatch(tx, postings.slice(index, index + 1)))
    expect(outcomes).toEqual([{ outcome: 'posted' }])
  }
  const floored = assetCodes.flatMap((asset) => accountsOf(asset, run)).filter(isFloored)
  return Promise.all(floored.map((account) => accountBalance(db, account)))
}

// So much that nothing in a run can overdraw it.
function fundingOf(run: number): Posting[] {
  return assetCodes.map((asset) => ({
    id: uuidFromName(`run ${run} funding ${asset}`),
    kind: 'deposit',
    legs: accountsOf(asset, run)
      .filter(isFloored)
      .map((account) => ({ debit: platformAccount('equity', asset), credit: account, amount: 10n ** 34n })),
    memo: testMemo(),
    occurredAt: new Date('2026-01-01T00:00:00Z'),
  }))
}

async function platformBalances(): Promise<Map<AccountId, bigint>> {
  const { rows } = await sql<{ account: bigint; balance: bigint }>`
    select account, balance from ledger_balance where account < 100000`.execute(db)
  return new Map(rows.map(({ account, balance }) => [account, balance]))
}
