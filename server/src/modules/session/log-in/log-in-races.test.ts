import { expect, test } from 'vitest'
import { transaction } from '../../../db/open.ts'
import { lockWaits } from '@candela/testing/postgres/test-database'
import { logIn } from './log-in.ts'
import { newAccount, useSignIns } from '../testing.ts'

/** Two logins of which the second begins while the first is not committed yet. */

const fixture = useSignIns()

/** The refusal of the second login, once it has had to wait for the first, or did not wait. */
async function secondOf(first: Parameters<typeof logIn>[1], second: Parameters<typeof logIn>[1]) {
  let isOver = false
  let outcome: Promise<number | null> = Promise.resolve(null)
  await transaction(fixture.db, async (tx) => {
    await logIn({ ...fixture.deps, db: tx }, first)
    outcome = fixture.refusal(second).finally(() => (isOver = true))
    await expect.poll(async () => isOver || (await lockWaits(fixture.db)) > 0).toBe(true)
  })
  return outcome
}

test('of two logins for the last place the second finds it taken', async () => {
  const account = newAccount()
  for (let device = 0; device < 2; device++) await logIn(fixture.deps, await fixture.signedLogin(account))
  const [first, second] = [await fixture.signedLogin(account), await fixture.signedLogin(account)]
  expect(await secondOf(first, second)).toBe(4001)
  expect(await fixture.sessionCount()).toBe(3)
})

test('of two members with one message the second finds it used', async () => {
  const [one, other] = [newAccount(), newAccount()]
  for (const account of [one, other]) await logIn(fixture.deps, await fixture.signedLogin(account))
  const message = await fixture.messageFor(one, false)
  const [first, second] = [await fixture.signedLogin(one, { message }), await fixture.signedLogin(other, { message })]
  expect(await secondOf(first, second)).toBe(4004)
  expect(await fixture.sessionCount()).toBe(3)
})
