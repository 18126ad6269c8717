import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { addDays } from '@candela/protocol/calendar'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { lockWaits } from '@candela/testing/postgres/test-database'
import { addressOf } from '@candela/server/modules/power/testing'
import { memberAccount } from '@candela/server/ledger/chart'
import { lockProject } from '@candela/server/modules/lending/project/lend'
import { rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { sql } from 'kysely'
import { decodeAbiParameters, decodeFunctionData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { refused } from '@candela/testing/server/refused'
import { FIRST_DAY, type Scenario, startLending, WHOLE } from './lending-scenario.ts'
import { payOnChain } from './pay-on-chain.ts'

const ALICE = addressOf(1)
const BOB = addressOf(2)
const STRANGER = addressOf(777)

const outcomes = async ({ db }: Scenario) =>
  (await db.selectFrom('chain_event').select(['outcome', 'last_failure']).orderBy('id').execute()).map(
    ({ outcome, last_failure }) => last_failure ?? outcome,
  )

test('several payments of one loan in one batch count one after the other, and what is too much is the payer’s', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
  lending.goTo(addDays(FIRST_DAY, 4))
  await chain.pay(
    { reference: loanNo, amount: 400_000n },
    { reference: loanNo, amount: 500_000n, payer: BOB },
    { reference: loanNo, amount: 200_000n, payer: BOB },
    { reference: loanNo, amount: 50_000n },
  )
  expect(await chain.credit()).toEqual({ credited: 4, failed: 0 })
  expect(await outcomes(lending)).toEqual(['loan', 'loan', 'loan', 'balance'])
  const { loan } = await lending.detail(lending.alice, loanNo)
  expect(loan).toMatchObject({ state: 'repaid', collateral: '0', principalRepaid: '1000' })
  expect(await lending.available(lending.alice, 'JU')).toBe('10000')
  // 1,001 were owed; 1,100 came before the fourth.
  expect(await lending.available(lending.bob, 'USDT')).toBe('1099')
  expect(await lending.available(lending.alice, 'USDT')).toBe('2050')
  expect(await lending.notices(lending.alice)).toMatchObject([{ kind: 'loanRepaid' }])
  const entries = await lending.handlers['GET lending/entries']({ loanNo, limit: 50 }, lending.contextOf(lending.alice))
  expect(entries.items.filter(({ kind, txHash }) => kind === 'repayment' && txHash !== null)).toHaveLength(5)
  await lending.expectSound()
})

test('money for no loan, for a closed one or in another asset goes to the payer; of strangers to suspense', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const open = await lending.borrow(lending.alice, 100n, 1_000n)
  const closed = await lending.borrow(lending.alice, 100n, 1_000n)
  await lending.repay(lending.alice, closed.loanNo, 'full', '101')
  await chain.pay(
    { reference: '20260301NOSUCHLOAN', amount: 10_000n, payer: BOB },
    { reference: closed.loanNo, amount: 10_000n, payer: BOB },
    { reference: open.loanNo, amount: 10_000n, payer: BOB, asset: 'HASH' },
    { reference: closed.loanNo, amount: 10_000n, payer: STRANGER },
    { reference: open.loanNo, amount: 1_000_000n, payer: STRANGER },
  )
  expect(await chain.credit()).toEqual({ credited: 5, failed: 0 })
  expect(await outcomes(lending)).toEqual(['balance', 'balance', 'balance', 'suspense', 'loan'])
  expect(await lending.available(lending.bob, 'USDT')).toBe('1020')
  expect(await lending.available(lending.bob, 'HASH')).toBe('10010')
  expect(await lending.platform('suspense')).toBe('10')
  // A stranger’s surplus on a loan is its borrower’s.
  expect((await lending.detail(lending.alice, open.loanNo)).loan.state).toBe('repaid')
  expect(await lending.available(lending.alice, 'USDT')).toBe('1999.95')
  await lending.expectSound()
})

test('less than a hundredth of a USDT repays nothing, unless it ends the debt: it is booked in one sum with other dust of its payer', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const { loanNo } = await lending.borrow(lending.alice, 100n, 1_000n)
  const dust = WHOLE / 100n - 1n
  const list = async () =>
    (await lending.handlers['GET lending/entries']({ loanNo, limit: 50 }, lending.contextOf(lending.alice))).items
  const paid = async () => (await lending.detail(lending.alice, loanNo)).loan
  await chain.payExactly({ reference: loanNo, amount: WHOLE / 100n, payer: BOB })
  await chain.credit()
  // A day of interest is 0.025, of which this has paid 0.01.
  expect(await paid()).toMatchObject({ state: 'active', interest: '0.015', principalRepaid: '0' })
  const entries = await list()
  await chain.payExactly(...Array.from({ length: 20 }, () => ({ reference: loanNo, amount: dust, payer: BOB })))
  await chain.credit()
  expect(await paid()).toMatchObject({ state: 'active', interest: '0.015', principalRepaid: '0' })
  expect(await list()).toEqual(entries)
  // The first three of a day by themselves; the others wait for the end of their day.
  expect(await outcomes(lending)).toEqual([
    'loan',
    'balance',
    'balance',
    'balance',
    ...Array.from({ length: 17 }, () => null),
  ])
  const { payoff } = await lending.payoff(lending.alice, loanNo)
  await lending.repay(lending.alice, loanNo, 'amount', fromBaseUnits(toBaseUnits(payoff) - dust))
  await chain.payExactly({ reference: loanNo, amount: dust, payer: BOB })
  await chain.credit()
  expect(await paid()).toMatchObject({ state: 'repaid' })
  await lending.expectSound()
})

test('when the records of the chain are lost and read again, nothing is counted twice', async () => {
  await using lending = await startLending()
  const chain = payOnChain(lending)
  const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
  const payments = [
    { reference: loanNo, amount: 300_000n },
    { reference: loanNo, amount: 100_000n, payer: BOB },
  ]
  await chain.pay(...payments)
  await chain.credit()
  const { loan } = await lending.detail(lending.alice, loanNo)
  expect(loan.principal).toBe('600.25')
  await sql`delete from deposit_receipt`.execute(lending.db)
  await sql`update chain_event set state = 'recorded', outcome = null, credited_at = null`.execute(lending.db)
  expect(await chain.credit()).toEqual({ credited: 2, failed: 0 })
  expect((await lending.detail(lending.alice, loanNo)).loan).toEqual(loan)
  await lending.expectSound()
})

test('loans of several projects in one batch wait for no project while they hold an account of the ledger', async () => {
  // The choice of who deadlocks first is a setting of the owner's.
  await using lending = await startLending({ asOwner: true })
  const { alice, db } = lending
  const chain = payOnChain(lending)
  const second = await lending.openProject()
  const loans = [await lending.borrow(alice, 100n, 200n), await lending.borrow(alice, 100n, 200n, { project: second })]
  // Both are paid off: their collateral goes back to the same account.
  await chain.pay(...loans.map(({ loanNo }) => ({ reference: loanNo, amount: 101_000n })))
  let crediting: Promise<unknown> = Promise.resolve()
  // As a new loan of the second project does: its lock first, then the member’s account. In a deadlock it is the one that fails.
  await db.transaction().execute(async (tx) => {
    await sql`set local deadlock_timeout = '10ms'`.execute(tx)
    await lockProject(tx, second)
    crediting = chain.credit()
    await expect.poll(() => lockWaits(db)).toBe(1)
    await lending.putWithin(tx, memberAccount(alice, 'memberAvailable', 'JU'), 'JU', WHOLE)
  })
  expect(await crediting).toEqual({ credited: 2, failed: 0 })
  expect(await outcomes(lending)).toEqual(['loan', 'loan'])
  expect(await lending.available(alice, 'JU')).toBe('10001')
  await lending.expectSound()
})

test('what the wallet is to send names the amount, its owner and the loan; nothing is prepared for a closed or another’s loan', async () => {
  await using lending = await startLending()
  const prepare = (memberId: bigint, loanNo: string) =>
    lending.handlers['GET lending/transaction']({ loanNo, amount: 12n * WHOLE }, lending.contextOf(memberId))
  const { loanNo } = await lending.borrow(lending.alice, 100n, 1_000n)
  const { transaction } = await prepare(lending.alice, loanNo)
  const { gateway, usdt } = lending.loanDeps.contracts
  expect([transaction.to, transaction.value]).toEqual([gateway, '0'])
  const { functionName, args } = decodeFunctionData({ abi: paymentGatewayAbi, data: transaction.data as Hex })
  expect([functionName, args?.[0]]).toEqual(['recharge', 'repay'])
  const named = decodeAbiParameters(rechargeDataTypes, args?.[1] as Hex)
  expect(named).toEqual([12n * WHOLE, usdt, ALICE, loanNo])
  expect(transaction.tuple).toEqual(named.map(String))
  expect(await refused(prepare(lending.bob, loanNo))).toBe(404)
  await lending.repay(lending.alice, loanNo, 'full', '101')
  expect(await refused(prepare(lending.alice, loanNo))).toBe(4303)
})
