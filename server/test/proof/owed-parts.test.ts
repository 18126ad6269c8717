import { owedByParts, owedParts, savedProof } from '@candela/protocol/proof/owed-parts'
import { toSums } from '@candela/protocol/proof/proof-file'
import { memberAccount } from '@candela/server/ledger/chart'
import { transaction } from '@candela/server/db/open'
import { post } from '@candela/server/ledger/post'
import { snapshotDeps } from '@candela/server/jobs/compose-attest'
import { readAddress } from '@candela/server/modules/member/read-address'
import { addressOf, followTo, recordPayment } from '@candela/server/modules/power/testing'
import { proofHandlers, readSavedProof } from '@candela/server/modules/proof/endpoints'
import { takeSnapshot } from '@candela/server/modules/proof/snapshot/take-snapshot'
import { statementHandlers } from '@candela/server/modules/statement/endpoints'
import { toBaseUnits } from '@candela/protocol/money/money'
import { assetCodes } from '@candela/protocol/money/assets'
import { expect, test } from 'vitest'
import { testMemo } from '../../src/ledger/testing/testing-memo.ts'
import { type Scenario, startLending, WHOLE } from '../lending/lending-scenario.ts'
import { attestedAs, oneConfirmation, someHoldings } from './attested.ts'

const [FIRST, SECOND] = ['2026-03-01', '2026-03-02']

/** Takes the snapshot of a day at the scenario's prices and has it attested. */
async function attest(scenario: Scenario, day: string): Promise<void> {
  const { db, clock } = scenario
  const config = oneConfirmation(addressOf(901))
  const deps = snapshotDeps({ db, clock, config, payouts: { holdings: someHoldings } })
  expect(await takeSnapshot(deps, day)).toBe(true)
  await attestedAs(db, day, clock.now())
}

const hold = (scenario: Scenario, id: bigint, amount: bigint) =>
  transaction(scenario.db, (tx) =>
    post(tx, {
      id: scenario.ids.uuid(),
      kind: 'deposit',
      legs: [
        {
          debit: memberAccount(id, 'memberAvailable', 'USDT'),
          credit: memberAccount(id, 'memberHeld', 'USDT'),
          amount,
        },
      ],
      memo: testMemo(),
      occurredAt: scenario.clock.now(),
    }),
  )

/** Reads what the service answers to a member. */
function asked(scenario: Scenario, memberId: bigint) {
  const { db, contextOf } = scenario
  const handlers = proofHandlers({ db })
  return {
    parts: async (day?: string) =>
      owedParts.parse(await handlers['GET solvency/owed'](day === undefined ? {} : { day }, contextOf(memberId))),
    saved: async () => savedProof.parse(await readSavedProof(db, memberId)),
    leaf: async (day: string) => toSums((await handlers['GET solvency/proof']({ day }, contextOf(memberId))).leaf.owed),
  }
}

test('the parts of a member with loans recompute its leaf, and stay the same whatever is posted later', async () => {
  await using scenario = await startLending()
  const { db, clock, handlers, contextOf, requestId, alice, bob } = scenario
  await followTo(db, 7n, clock.now())
  // On its balance, set aside, in the fund, pledged and borrowed on two projects, and paid in a later block.
  await hold(scenario, alice, 123n * WHOLE + 1n)
  await handlers['POST finance/transferIn']({ amount: 77n * WHOLE, requestId: requestId() }, contextOf(alice))
  scenario.price('JU', 1_731)
  const loan = await scenario.borrow(alice, 300n, 900n)
  await scenario.borrow(alice, 50n, 800n, { project: scenario.hashProjectNo })
  const customer = await readAddress(db, alice)
  const paid = { action: 'paid', state: 'credited', outcome: 'paid', credited_at: clock.now(), customer } as const
  await recordPayment(db, { ...paid, block_number: 9n, reference: 'P', asset: 'HASH', amount: 41n, payer: customer })
  await attest(scenario, FIRST)

  const { parts, leaf, saved } = asked(scenario, alice)
  const first = await parts()
  // As the file that is saved, also by a link.
  expect(await saved()).toMatchObject({ day: FIRST, leaf: { member: customer }, parts: first })
  expect(owedByParts(first)).toEqual(await leaf(FIRST))
  expect([first.held.USDT, first.paidLater.HASH]).toEqual([String(123n * WHOLE + 1n), '41'])
  expect([first.collateral.JU, first.collateral.HASH]).toEqual([String(900n * WHOLE), String(800n * WHOLE)])
  // With the interest of the first day.
  expect(BigInt(first.debt)).toBeGreaterThan(350n * WHOLE)
  expect(first.prices).toEqual({ JU: String((1_731n * WHOLE) / 1_000n), HASH: String(WHOLE / 2n) })
  expect(BigInt(first.shares)).toBeGreaterThan(0n)
  // No other member has a row: one with neither a loan nor a later payment costs none.
  expect(await db.selectFrom('proof_part').select('member_id').execute()).toEqual([{ member_id: alice }])
  const plain = asked(scenario, bob)
  expect(owedByParts(await plain.parts())).toEqual(await plain.leaf(FIRST))

  // Everything moves afterwards.
  scenario.price('JU', 3_000)
  await hold(scenario, alice, 5n)
  await scenario.put(memberAccount(alice, 'memberAvailable', 'JU'), 'JU', 17n)
  await handlers['POST finance/transferIn']({ amount: 3n * WHOLE, requestId: requestId() }, contextOf(alice))
  await scenario.repay(alice, loan.loanNo, 'amount', '10')
  await scenario.borrow(bob, 20n, 100n)
  expect(await parts()).toEqual(first)
  await attest(scenario, SECOND)
  const second = await parts()
  expect(second).not.toEqual(first)
  expect(second.day).toBe(SECOND)
  expect(owedByParts(second)).toEqual(await leaf(SECOND))
  expect(owedByParts(await plain.parts())).toEqual(await plain.leaf(SECOND))
  // A leaf of an earlier day is still recomputed.
  expect(await parts(FIRST)).toEqual(first)
  expect(await saved()).toMatchObject({ day: SECOND, parts: second })
  await scenario.expectSound()
})

test('the balances are those of the member’s own statement at that sequence', async () => {
  await using scenario = await startLending()
  const { db, clock, contextOf, alice } = scenario
  await followTo(db, 1n, clock.now())
  await hold(scenario, alice, 7n * WHOLE)
  await attest(scenario, FIRST)
  await hold(scenario, alice, 9n * WHOLE)
  await scenario.put(memberAccount(alice, 'memberAvailable', 'HASH'), 'HASH', 1n)
  const { available, held, ledgerSequence } = await asked(scenario, alice).parts()
  const list = statementHandlers({ db })['GET statement/list']
  for (const asset of assetCodes) {
    for (const [account, parts] of Object.entries({ available, held }) as ['available' | 'held', typeof held][]) {
      const input = { asset, account, upTo: BigInt(ledgerSequence), limit: 1 }
      const [line] = (await list(input, contextOf(alice))).items
      expect([asset, account, toBaseUnits(line?.balance ?? '0')]).toEqual([asset, account, BigInt(parts[asset])])
    }
  }
})

test('nothing is told of a day that is not attested, and nothing to who joined later', async () => {
  await using scenario = await startLending()
  const { db, clock, alice } = scenario
  await followTo(db, 1n, clock.now())
  const refusal = { code: 404 }
  await expect(asked(scenario, alice).parts()).rejects.toMatchObject(refusal)
  await attest(scenario, FIRST)
  await expect(asked(scenario, alice).parts(SECOND)).rejects.toMatchObject(refusal)
  const late = await scenario.join({ USDT: 5n })
  await db
    .updateTable('member')
    .set({ joined_at: new Date(clock.now().getTime() + 1) })
    .where('id', '=', late)
    .execute()
  await expect(asked(scenario, late).parts(FIRST)).rejects.toMatchObject(refusal)
})

test('what is held is read at the block that the snapshot speaks of, also while a payment is not settled', async () => {
  await using scenario = await startLending()
  const { db, clock, alice } = scenario
  for (const block of [4n, 7n]) await followTo(db, block, clock.now())
  const customer = await readAddress(db, alice)
  const paid = { action: 'paid', state: 'recorded', customer, payer: customer } as const
  await recordPayment(db, { ...paid, block_number: 5n, reference: 'P', asset: 'HASH', amount: 41n })
  const config = oneConfirmation(addressOf(901))
  const heldAt: bigint[] = []
  const holdings = ({ number }: { number: bigint }) => {
    heldAt.push(number)
    return someHoldings()
  }
  expect(await takeSnapshot(snapshotDeps({ db, clock, config, payouts: { holdings } }), FIRST)).toBe(true)
  const { block_number } = await db.selectFrom('proof_snapshot').select('block_number').executeTakeFirstOrThrow()
  expect([block_number, heldAt]).toEqual([4n, [4n]])
})
