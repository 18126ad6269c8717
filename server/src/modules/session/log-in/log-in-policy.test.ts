import { expect, test } from 'vitest'
import { logIn } from './log-in.ts'
import { newAccount, useSignIns } from '../testing.ts'

const fixture = useSignIns()

type Facts = { nonceUsed: boolean; isMember: boolean; liveDevices: number; deviceLimit: number; replace: boolean }

/**
 * Decides how a login ends, and how many devices are signed in after it. The SQL function `log_in` decides the same in one call of the
 * database; change both together.
 */
function decideLogin({ nonceUsed, isMember, liveDevices, deviceLimit, replace }: Facts) {
  if (nonceUsed) return { refusal: 4004, devices: liveDevices }
  // Registered with the same login.
  if (!isMember) return { refusal: null, devices: 1 }
  const isFull = liveDevices >= deviceLimit
  if (!isFull) return { refusal: null, devices: liveDevices + 1 }
  return replace ? { refusal: null, devices: 1 } : { refusal: 4001, devices: liveDevices }
}

const both = [false, true]
const cases: Facts[] = both.flatMap((nonceUsed) =>
  both.flatMap((isMember) =>
    both.flatMap((replace) =>
      [1, 2].flatMap((deviceLimit) =>
        (isMember ? [0, 1, 2, 3] : [0])
          .filter((liveDevices) => !nonceUsed || liveDevices > 0)
          .map((liveDevices) => ({ nonceUsed, isMember, liveDevices, deviceLimit, replace })),
      ),
    ),
  ),
)

test('the database decides a login as the policy says, whatever the facts are', async () => {
  expect(cases.length).toBeGreaterThan(20)
  for (const facts of cases) {
    await fixture.db.deleteFrom('session').execute()
    await fixture.db.deleteFrom('setting').execute()
    const account = newAccount()
    const setLimit = (value: number) =>
      fixture.db
        .insertInto('setting')
        .values({ key: 'deviceLimit', value, updated_at: fixture.clock.now() })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute()
    await setLimit(50)
    const login = await fixture.signedLogin(account, { replace: facts.replace })
    if (facts.isMember && facts.liveDevices === 0) {
      await logIn(fixture.deps, await fixture.signedLogin(account))
      await fixture.db.deleteFrom('session').execute()
    }
    for (let device = 0; device < facts.liveDevices; device++) {
      await logIn(fixture.deps, facts.nonceUsed && device === 0 ? login : await fixture.signedLogin(account))
    }
    await setLimit(facts.deviceLimit)
    const found = { refusal: await fixture.refusal(login), devices: await fixture.sessionCount() }
    expect({ facts, ...found }).toEqual({ facts, ...decideLogin(facts) })
  }
})
