import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '../../../db/open.ts'
import { logIn } from './log-in.ts'
import { newAccount, useSignIns } from '../testing.ts'

/** Two logins of which the second begins while the first is not committed yet. */

const world = useSignIns()

const lockWaits = async () => {
  const { rows } = await sql<{ n: bigint }>`
    select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    world.db,
  )
  return Number(rows[0]?.n)
}

/** What the second login is refused with, once it has had to wait for the first, or did not wait. */
async function secondOf(first: Parameters<typeof logIn>[1], second: Parameters<typeof logIn>[1]) {
  let isOver = false
  let outcome: Promise<number | null> = Promise.resolve(null)
  await transaction(world.db, async (tx) => {
    await logIn({ ...world.deps, db: tx }, first)
    outcome = world.refusal(second).finally(() => (isOver = true))
    await expect.poll(async () => isOver || (await lockWaits()) > 0).toBe(true)
  })
  return outcome
}

test('of two logins for the last place the second finds it taken', async () => {
  const account = newAccount()
  for (let device = 0; device < 2; device++) await logIn(world.deps, await world.signedLogin(account))
  const [first, second] = [await world.signedLogin(account), await world.signedLogin(account)]
  expect(await secondOf(first, second)).toBe(4001)
  expect(await world.sessionCount()).toBe(3)
})

test('of two members with one message the second finds it used', async () => {
  const [one, other] = [newAccount(), newAccount()]
  for (const account of [one, other]) await logIn(world.deps, await world.signedLogin(account))
  const message = await world.messageFor(one, false)
  const [first, second] = [await world.signedLogin(one, { message }), await world.signedLogin(other, { message })]
  expect(await secondOf(first, second)).toBe(4004)
  expect(await world.sessionCount()).toBe(3)
})
