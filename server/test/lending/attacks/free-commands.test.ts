import { refused } from '@candela/testing/server/refused'
import { expect, test } from 'vitest'
import { FIRST_DAY, startLending, WHOLE } from '../lending-scenario.ts'
import { addDays } from '@candela/protocol/calendar'

test('commands that cost nothing share one number a day for each member; what ends a debt is never refused for it', async () => {
  await using lending = await startLending()
  const { alice, bob, fay, handlers, contextOf } = lending
  const { loanNo } = await lending.borrow(alice, 100n, 1_000n)
  const other = await lending.borrow(alice, 100n, 1_000n)
  await lending.db
    .insertInto('setting')
    .values({ key: 'freeCommandsPerDay', value: '5', updated_at: lending.clock.now() })
    .execute()
  const requestId = lending.requestId
  const commands = (memberId: bigint) => [
    (id = requestId()) =>
      handlers['POST finance/transferIn']({ amount: 2n * WHOLE, requestId: id }, contextOf(memberId)),
    () =>
      handlers['POST finance/transferOut'](
        { amount: WHOLE, all: undefined, requestId: requestId() },
        contextOf(memberId),
      ),
    () => handlers['POST lending/addCollateral']({ loanNo, amount: 1n, requestId: requestId() }, contextOf(memberId)),
    () =>
      handlers['POST lending/releaseCollateral']({ loanNo, amount: 1n, requestId: requestId() }, contextOf(memberId)),
    () =>
      handlers['POST lending/installment'](
        { loanNo: other.loanNo, count: 3, requestId: requestId() },
        contextOf(memberId),
      ),
    () => lending.repay(memberId, loanNo, 'amount', '1'),
  ]
  const [moveIn, ...others] = commands(alice)
  // A command that fails, or is repeated, is not counted.
  expect(
    await refused(
      handlers['POST finance/transferIn']({ amount: 10n ** 30n, requestId: requestId() }, contextOf(alice)),
    ),
  ).toBe(4201)
  const again = requestId()
  for (let time = 0; time < 3; time += 1) expect(await refused(moveIn!(again))).toBe('accepted')
  for (const command of others.slice(0, 4)) expect(await refused(command())).toBe('accepted')
  for (const command of commands(alice)) expect(await refused(command())).toBe(4212)
  expect(await refused(moveIn!(again))).toBe('accepted')
  expect(await refused(commands(bob)[0]!())).toBe('accepted')
  expect(
    await lending.db.selectFrom('free_command').select(['member_id', 'made']).orderBy('member_id').execute(),
  ).toEqual([
    { member_id: alice, made: 5 },
    { member_id: bob, made: 1 },
    { member_id: fay, made: 1 },
  ])
  expect(await refused(lending.repay(alice, loanNo, 'full', '101'))).toBe('accepted')
  lending.goTo(addDays(FIRST_DAY, 1))
  expect(await refused(moveIn!())).toBe('accepted')
  await lending.expectSound()
})

test('less than a hundredth of a USDT is repaid only where it ends the debt', async () => {
  await using lending = await startLending()
  const { alice, handlers, contextOf } = lending
  const { loanNo } = await lending.borrow(alice, 100n, 1_000n)
  expect(await refused(lending.repay(alice, loanNo, 'amount', '0.009999999999999999'))).toBe(4202)
  expect(await refused(lending.repay(alice, loanNo, 'amount', '0.01'))).toBe('accepted')
  const opening = {
    asset: 'JU' as const,
    margin: 100n * WHOLE,
    ratio: 20,
    days: 30,
    minBought: 1n,
    acceptWarning: false,
  }
  const { loan } = await handlers['POST lever/open']({ ...opening, requestId: lending.requestId() }, contextOf(alice))
  const add = (amount: bigint) =>
    handlers['POST lever/addMargin']({ loanNo: loan.loanNo, amount, requestId: lending.requestId() }, contextOf(alice))
  expect(await refused(add(WHOLE / 100n - 1n))).toBe(4202)
  expect(await refused(add(WHOLE / 100n))).toBe('accepted')
  // A debt of half a hundredth is ended by it.
  const { payoff } = await lending.payoff(alice, loanNo)
  await lending.repay(alice, loanNo, 'amount', String(Number(payoff) - 0.005))
  expect(await refused(lending.repay(alice, loanNo, 'amount', '0.004'))).toBe(4202)
  expect(await refused(lending.repay(alice, loanNo, 'amount', '0.006'))).toBe('accepted')
  expect((await lending.detail(alice, loanNo)).loan.state).toBe('repaid')
  await lending.expectSound()
})
