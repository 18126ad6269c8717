import { readPrices } from '@candela/server/chain/price/price'
import { lendingChecks } from '@candela/server/modules/lending/checks'
import { lendingGauges } from '@candela/server/modules/lending/gauges'
import { silentLog } from '@candela/server/kernel/log'
import { transaction } from '@candela/server/db/open'
import { auditRound } from '@candela/server/ledger/audit/audit-round'
import { listOpenFindings } from '@candela/server/ledger/audit/findings'
import { platformAccount } from '@candela/server/ledger/chart'
import { auditFund } from '@candela/server/modules/fund/audit-fund'
import { tellDeficits } from '@candela/server/modules/fund/tell-deficits'
import { auditLoans } from '@candela/server/modules/lending/loan/audit-loans'
import { listAtRisk } from '@candela/server/modules/lending/loan/watch/list-at-risk'
import { addDays } from '@candela/protocol/calendar'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { startOperators } from '../../src/operator/testing-operators.ts'
import { FIRST_DAY, type Scenario, startLending, WHOLE } from './lending-scenario.ts'

/** A loan that is written off: the reserve had 100 USDT, and the fund loses the rest. */
async function loseMoney(lending: Scenario): Promise<string> {
  await lending.put(platformAccount('reserve', 'USDT'), 'USDT', 100n * WHOLE)
  const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
  lending.price('JU', 500)
  expect(await lending.watch()).toBe(1)
  return loanNo
}

/** Reads what the hourly audit finds, and nobody has accepted. */
async function findings({ db, clock }: Scenario): Promise<string[]> {
  const round = auditRound({ db, clock, log: silentLog(), further: lendingChecks })
  while ((await round.next()).done !== true);
  return (await listOpenFindings(db)).map(({ subject }) => subject)
}

const corruptions: Readonly<Record<string, { spoil: RawBuilder<unknown>; found: RegExp }>> = {
  collateral: {
    spoil: sql`update loan set collateral = collateral + 1 where closed_at is null`,
    found: /^collateral of loan/,
  },
  debt: { spoil: sql`update loan_debt set principal = principal - 1 where principal > 0`, found: /^principal of loan/ },
  interest: {
    spoil: sql`update loan_debt set interest_charged = interest_charged + 10 where next_due_on is not null`,
    found: /^owed to the reserve/,
  },
  'the price of a share': {
    spoil: sql`update fund_price set assets_after = assets_after + 1 where reason = 'close'`,
    found: /^assets of the fund/,
  },
  'the shares of the fund': {
    spoil: sql`update fund_price set shares = shares + 1 where reason = 'close'`,
    found: /^shares of the fund/,
  },
  'who has shares': { spoil: sql`delete from fund_member`, found: /^shares that members hold/ },
  'what the reserve paid': {
    spoil: sql`update loan_liquidation set reserve_paid = reserve_paid - 1`,
    found: /^deficits paid by the reserve/,
  },
  'a deficit': {
    spoil: sql`update fund_price set assets_after = assets_after + 1 where reason = 'deficit'`,
    found: /^deficits that lowered the share price/,
  },
}

test('the hourly audit finds whatever is changed in the records of lending, and nothing in those that are right', async () => {
  await using lending = await startLending({ asOwner: true })
  await loseMoney(lending)
  lending.price('JU', 2_000)
  await lending.borrow(lending.bob, 1_000n, 1_000n)
  await lending.closeDay(FIRST_DAY)
  await lending.handlers['POST finance/transferOut'](
    { amount: 10n * WHOLE, all: undefined, requestId: lending.requestId() },
    lending.contextOf(lending.fay),
  )
  await lending.expectSound()
  expect(await findings(lending)).toEqual([])
  // A person who can write the tables can do this too.
  await sql`alter table fund_price disable trigger all`.execute(lending.db)
  await sql`alter table loan_liquidation disable trigger all`.execute(lending.db)
  for (const [what, { spoil, found }] of Object.entries(corruptions)) {
    await sql`create table kept_loan as table loan_with_debt`.execute(lending.db)
    await sql`create table kept_price as table fund_price`.execute(lending.db)
    await sql`create table kept_member as table fund_member`.execute(lending.db)
    await sql`create table kept_liquidation as table loan_liquidation`.execute(lending.db)
    const { numAffectedRows } = await spoil.execute(lending.db)
    expect(numAffectedRows, what).toBeGreaterThan(0n)
    const seen = [...(await auditLoans(lending.db)), ...(await auditFund(lending.db))].map(({ subject }) => subject)
    expect(seen, what).toContainEqual(expect.stringMatching(found))
    await sql`update loan set collateral = k.collateral from kept_loan k where k.id = loan.id`.execute(lending.db)
    await sql`update loan_debt set principal = k.principal, interest_charged = k.interest_charged
      from kept_loan k where k.id = loan_debt.loan_id`.execute(lending.db)
    await sql`update fund_price set assets_after = k.assets_after, shares = k.shares
      from kept_price k where k.id = fund_price.id`.execute(lending.db)
    await sql`insert into fund_member table kept_member on conflict do nothing`.execute(lending.db)
    await sql`update loan_liquidation set reserve_paid = k.reserve_paid
      from kept_liquidation k where k.id = loan_liquidation.id`.execute(lending.db)
    await sql`drop table kept_loan, kept_price, kept_member, kept_liquidation`.execute(lending.db)
    await lending.expectSound()
  }
  await sql`update loan set collateral = collateral + 1 where closed_at is null`.execute(lending.db)
  expect(await findings(lending)).toEqual([expect.stringMatching(/^collateral of loan/)])
})

test('members of the fund are told of a deficit, each once, with what it took from them', async () => {
  await using lending = await startLending()
  const [grace, late] = [await lending.join({ USDT: 50_000n }), await lending.join({ USDT: 10n })]
  const moveIn = (memberId: bigint, amount: bigint) =>
    lending.handlers['POST finance/transferIn'](
      { amount: amount * WHOLE, requestId: lending.requestId() },
      lending.contextOf(memberId),
    )
  await moveIn(grace, 50_000n)
  await loseMoney(lending)
  await moveIn(late, 10n)
  const tell = () => transaction(lending.db, (tx) => tellDeficits(tx, lending.clock.now()))
  expect(await tell()).toBe(true)
  expect(await tell()).toBe(false)
  await sql`delete from fund_deficit_notice`.execute(lending.db)
  while (await tell());
  const lossOf = async (memberId: bigint) =>
    (await lending.notices(memberId)).map(({ kind, params }) => [kind, Number((params as { loss: string }).loss)])
  const [[kind, fays] = []] = await lossOf(lending.fay)
  expect(kind).toBe('fundDeficit')
  expect(await lossOf(lending.fay)).toHaveLength(1)
  expect(await lossOf(grace)).toEqual([['fundDeficit', expect.closeTo(Number(fays) / 2, 9)]])
  expect(await lossOf(late)).toEqual([])
  const [notice] = await lending.notices(lending.fay)
  const lost = Number((notice?.params as { amount: string } | undefined)?.amount)
  expect(Number(fays) * 1.5).toBeCloseTo(lost, 9)
})

test('operators see the fund, its deficits and the loans at risk, and put their own money into the reserve', async () => {
  await using lending = await startLending()
  const loanNo = await loseMoney(lending)
  const operators = await startOperators(lending.database.url, lending.clock)
  expect(await operators.give('ada', 'fund')).toMatchObject({ shares: '100000', reserve: '0', lent: '0' })
  expect(await operators.give('ada', 'fund', 'deficits')).toMatchObject([{ loan: loanNo }])
  expect(await operators.give('ada', 'loan', 'audit')).toMatchObject({ result: expect.stringContaining('agree') })

  const add = () => operators.both<{ reserve: string }>('fund', 'add-capital', '40', '--note', 'after the deficit')
  await expect(add()).rejects.toThrow('has 0 USDT of its own')
  await lending.put(platformAccount('fees', 'USDT'), 'USDT', 50n * WHOLE)
  expect(await add()).toMatchObject({ added: '40', reserve: '40', ownLeft: '10' })
  await expect(add()).rejects.toThrow('has 10 USDT of its own')
  await lending.expectSound()

  lending.price('JU', 2_000)
  const near = await lending.borrow(lending.bob, 1_000n, 1_000n)
  const far = await lending.borrow(lending.bob, 1_000n, 3_000n)
  lending.price('JU', 1_400)
  await lending.watch()
  const prices = await readPrices(lending.db, lending.clock.now())
  const risks = await listAtRisk(lending.db, prices, 10, lending.clock.now())
  expect(risks.map(({ loan, status }) => [loan, status])).toEqual([
    [near.loanNo, 'warning'],
    [far.loanNo, 'safe'],
  ])
  // Prices are those of the pairs, which nobody observes here.
  expect(await operators.give('ada', 'loan', 'risk')).toMatchObject([{ status: 'no price' }, { status: 'no price' }])
  const watch = { lastAt: lending.clock.now() }
  lending.clock.advance(60_000)
  const gauges = await Promise.all(
    lendingGauges({ db: lending.db, clock: lending.clock, watch }).map(async ({ name, read }) => [name, await read()]),
  )
  expect(Object.fromEntries(gauges)).toMatchObject({
    candela_fund_utilisation: expect.closeTo(0.02, 3),
    candela_fund_reserve_usdt: 40,
    candela_fund_lost_usdt: expect.closeTo(400, -1),
    candela_loans_called: 1,
    candela_loans_liquidating: 0,
    candela_loan_watch_age_seconds: 60,
  })

  const terms = [
    '--total',
    '5000',
    '--rate',
    '0.2',
    '--initial-rate',
    '0.3',
    '--safety-line',
    '0.5',
    '--clearing-line',
    '0.6',
  ]
  await operators.both('project', 'change', lending.projectNo, ...terms)
  await expect(operators.both('project', 'change', lending.projectNo, ...terms.with(9, '0.4'))).rejects.toThrow(
    '--clearing-line: must be above the safety line',
  )
  const later = await lending.borrow(lending.bob, 100n, 1_000n)
  expect([later.rate, later.clearingLine]).toEqual(['0.2', '0.6'])
  expect((await lending.detail(lending.bob, near.loanNo)).loan).toMatchObject({ rate: near.rate, clearingLine: '0.8' })
})

test('an operator’s close of missed days charges the loans of each', async () => {
  await using lending = await startLending()
  const { loanNo } = await lending.borrow(lending.alice, 1_000n, 1_000n)
  await lending.closeDay(FIRST_DAY)
  lending.goTo(addDays(FIRST_DAY, 4))
  const operators = await startOperators(lending.database.url, lending.clock)
  const before = await lending.db.selectFrom('loan_with_debt').select('interest_charged').executeTakeFirstOrThrow()
  // Income has no day to close here: the loans are charged nevertheless.
  const [from, to] = [addDays(FIRST_DAY, 1), addDays(FIRST_DAY, 3)]
  expect(await operators.give('ada', 'close')).toEqual({
    done: `the loans and the fund are closed for ${from} to ${to}; no revenue was shared, because nobody had power up to ${to}`,
  })
  const after = await lending.db
    .selectFrom('loan_with_debt')
    .select('interest_charged')
    .where('loan_no', '=', loanNo)
    .executeTakeFirstOrThrow()
  expect(after.interest_charged).toBe(before.interest_charged * 4n)
  expect(await lending.db.selectFrom('fund_price').select('day').orderBy('day').execute()).toHaveLength(4)
  await lending.expectSound()
})
