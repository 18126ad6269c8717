import { paymentGatewayAbi } from '@candela/protocol/abi/payment-gateway'
import { addDays } from '@candela/protocol/calendar'
import { fromBaseUnits, toBaseUnits } from '@candela/protocol/money/money'
import { lockWaits } from '@candela/testing/postgres/test-database'
import { addressOf } from '@candela/server/modules/power/testing'
import { memberAccount } from '@candela/server/ledger/chart'
import { lockProject } from '@candela/server/modules/project/lend'
import { rechargeDataTypes } from '@candela/protocol/chain/action-data'
import { sql } from 'kysely'
import { decodeAbiParameters, decodeFunctionData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { refused } from '@candela/testing/server/refused'
import { FIRST_DAY, type Scenario, startCredit, WHOLE } from './credit-scenario.ts'
import { payOnChain } from './pay-on-chain.ts'

const ALICE = addressOf(1)
const BOB = addressOf(2)
const STRANGER = addressOf(777)

const outcomes = async ({ db }: Scenario) =>
  (await db.selectFrom('chain_event').select(['outcome', 'last_failure']).orderBy('id').execute()).map(
    ({ outcome, last_failure }) => last_failure ?? outcome,
  )

test('several payments of one loan in one batch count one after the other, and what is too much is the payer’s', async () => {
  await using credit = await startCredit()
  const chain = payOnChain(credit)
  const { loanNo } = await credit.borrow(credit.alice, 1_000n, 1_000n)
  credit.goTo(addDays(FIRST_DAY, 4))
  await chain.pay(
    { reference: loanNo, amount: 400_000n },
    { reference: loanNo, amount: 500_000n, payer: BOB },
    { reference: loanNo, amount: 200_000n, payer: BOB },
    { reference: loanNo, amount: 50_000n },
  )
  expect(await chain.credit()).toEqual({ credited: 4, failed: 0 })
  expect(await outcomes(credit)).toEqual(['loan', 'loan', 'loan', 'balance'])
  const { loan } = await credit.detail(credit.alice, loanNo)
  expect(loan).toMatchObject({ state: 'repaid', collateral: '0', principalRepaid: '1000' })
  expect(await credit.available(credit.alice, 'JU')).toBe('10000')
  // 1,001 were owed; 1,100 came before the fourth.
  expect(await credit.available(credit.bob, 'USDT')).toBe('1099')
  expect(await credit.available(credit.alice, 'USDT')).toBe('2050')
  expect(await credit.notices(credit.alice)).toMatchObject([{ kind: 'loanRepaid' }])
  const entries = await credit.handlers['GET lending/entries']({ loanNo, limit: 50 }, credit.contextOf(credit.alice))
  expect(entries.items.filter(({ kind, txHash }) => kind === 'repayment' && txHash !== null)).toHaveLength(5)
  await credit.expectSound()
})

test('money for no loan, for a closed one or in another asset goes to the payer; of strangers to suspense', async () => {
  await using credit = await startCredit()
  const chain = payOnChain(credit)
  const open = await credit.borrow(credit.alice, 100n, 1_000n)
  const closed = await credit.borrow(credit.alice, 100n, 1_000n)
  await credit.repay(credit.alice, closed.loanNo, 'full', '101')
  await chain.pay(
    { reference: '20260301NOSUCHLOAN', amount: 10_000n, payer: BOB },
    { reference: closed.loanNo, amount: 10_000n, payer: BOB },
    { reference: open.loanNo, amount: 10_000n, payer: BOB, asset: 'HASH' },
    { reference: closed.loanNo, amount: 10_000n, payer: STRANGER },
    { reference: open.loanNo, amount: 1_000_000n, payer: STRANGER },
  )
  expect(await chain.credit()).toEqual({ credited: 5, failed: 0 })
  expect(await outcomes(credit)).toEqual(['balance', 'balance', 'balance', 'suspense', 'loan'])
  expect(await credit.available(credit.bob, 'USDT')).toBe('1020')
  expect(await credit.available(credit.bob, 'HASH')).toBe('10010')
  expect(await credit.platform('suspense')).toBe('10')
  // A stranger’s surplus on a loan is its borrower’s.
  expect((await credit.detail(credit.alice, open.loanNo)).loan.state).toBe('repaid')
  expect(await credit.available(credit.alice, 'USDT')).toBe('1999.95')
  await credit.expectSound()
})

test('less than a hundredth of a USDT repays nothing, unless it ends the debt: it is booked in one sum with other dust of its payer', async () => {
  await using credit = await startCredit()
  const chain = payOnChain(credit)
  const { loanNo } = await credit.borrow(credit.alice, 100n, 1_000n)
  const dust = WHOLE / 100n - 1n
  const list = async () =>
    (await credit.handlers['GET lending/entries']({ loanNo, limit: 50 }, credit.contextOf(credit.alice))).items
  const paid = async () => (await credit.detail(credit.alice, loanNo)).loan
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
  expect(await outcomes(credit)).toEqual([
    'loan',
    'balance',
    'balance',
    'balance',
    ...Array.from({ length: 17 }, () => null),
  ])
  const { payoff } = await credit.payoff(credit.alice, loanNo)
  await credit.repay(credit.alice, loanNo, 'amount', fromBaseUnits(toBaseUnits(payoff) - dust))
  await chain.payExactly({ reference: loanNo, amount: dust, payer: BOB })
  await chain.credit()
  expect(await paid()).toMatchObject({ state: 'repaid' })
  await credit.expectSound()
})

test('when the records of the chain are lost and read again, nothing is counted twice', async () => {
  await using credit = await startCredit()
  const chain = payOnChain(credit)
  const { loanNo } = await credit.borrow(credit.alice, 1_000n, 1_000n)
  const payments = [
    { reference: loanNo, amount: 300_000n },
    { reference: loanNo, amount: 100_000n, payer: BOB },
  ]
  await chain.pay(...payments)
  await chain.credit()
  const { loan } = await credit.detail(credit.alice, loanNo)
  expect(loan.principal).toBe('600.25')
  await sql`delete from deposit_receipt`.execute(credit.db)
  await sql`update chain_event set state = 'recorded', outcome = null, credited_at = null`.execute(credit.db)
  expect(await chain.credit()).toEqual({ credited: 2, failed: 0 })
  expect((await credit.detail(credit.alice, loanNo)).loan).toEqual(loan)
  await credit.expectSound()
})

test('loans of several projects in one batch wait for no project while they hold an account of the ledger', async () => {
  // Who deadlocks first is a setting of the owner's.
  await using credit = await startCredit({ asOwner: true })
  const { alice, db } = credit
  const chain = payOnChain(credit)
  const second = await credit.openProject()
  const loans = [await credit.borrow(alice, 100n, 200n), await credit.borrow(alice, 100n, 200n, { project: second })]
  // Both are paid off: their collateral goes back to the same account.
  await chain.pay(...loans.map(({ loanNo }) => ({ reference: loanNo, amount: 101_000n })))
  let crediting: Promise<unknown> = Promise.resolve()
  // As a new loan of the second project does: its lock first, then the member’s account. In a deadlock it is the one that fails.
  await db.transaction().execute(async (tx) => {
    await sql`set local deadlock_timeout = '10ms'`.execute(tx)
    await lockProject(tx, second)
    crediting = chain.credit()
    await expect.poll(() => lockWaits(db)).toBe(1)
    await credit.putWithin(tx, memberAccount(alice, 'memberAvailable', 'JU'), 'JU', WHOLE)
  })
  expect(await crediting).toEqual({ credited: 2, failed: 0 })
  expect(await outcomes(credit)).toEqual(['loan', 'loan'])
  expect(await credit.available(alice, 'JU')).toBe('10001')
  await credit.expectSound()
})

test('what the wallet is to send names the amount, its owner and the loan; nothing is prepared for a closed or another’s loan', async () => {
  await using credit = await startCredit()
  const prepare = (memberId: bigint, loanNo: string) =>
    credit.handlers['GET lending/transaction']({ loanNo, amount: 12n * WHOLE }, credit.contextOf(memberId))
  const { loanNo } = await credit.borrow(credit.alice, 100n, 1_000n)
  const { transaction } = await prepare(credit.alice, loanNo)
  const { gateway, usdt } = credit.loanDeps.contracts
  expect([transaction.to, transaction.value]).toEqual([gateway, '0'])
  const { functionName, args } = decodeFunctionData({ abi: paymentGatewayAbi, data: transaction.data as Hex })
  expect([functionName, args?.[0]]).toEqual(['recharge', 'repay'])
  const named = decodeAbiParameters(rechargeDataTypes, args?.[1] as Hex)
  expect(named).toEqual([12n * WHOLE, usdt, ALICE, loanNo])
  expect(transaction.tuple).toEqual(named.map(String))
  expect(await refused(prepare(credit.bob, loanNo))).toBe(404)
  await credit.repay(credit.alice, loanNo, 'full', '101')
  expect(await refused(prepare(credit.alice, loanNo))).toBe(4303)
})
