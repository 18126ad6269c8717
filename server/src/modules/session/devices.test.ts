import { describe, expect, test } from 'vitest'
import { must } from '../../kernel/assert.ts'
import { endSession } from './end-session.ts'
import { findSession } from './find-session.ts'
import { listSessions } from './list-sessions.ts'
import { logIn } from './log-in.ts'
import { revokeSessions } from './revoke-sessions.ts'
import { sweepSessions } from './sweep.ts'
import { DAY_MS, MINUTE_MS, newAccount, useSignIns } from './testing.ts'

const world = useSignIns()

describe('devices', () => {
  test('of twenty logins at the same time as many succeed as there is room for', async () => {
    const account = newAccount()
    const logins = await Promise.all(Array.from({ length: 20 }, () => world.signedLogin(account)))
    const outcomes = await Promise.all(logins.map((login) => world.refusal(login)))
    expect(outcomes.filter((code) => code === null)).toHaveLength(3)
    expect(outcomes.filter((code) => code === 4001)).toHaveLength(17)
    expect(await world.sessionCount()).toBe(3)
  })

  test('the fourth is 4001; with replace it signs the other three out, by the same signature', async () => {
    const account = newAccount()
    const tokens: string[] = []
    for (let device = 0; device < 3; device++) tokens.push(await logIn(world.deps, await world.signedLogin(account)))
    const fourth = await world.signedLogin(account)
    expect(await world.refusal(fourth)).toBe(4001)
    const token = await logIn(world.deps, { ...fourth, replace: true })
    for (const old of tokens) expect(await findSession(world.db, old, world.clock.now())).toBeNull()
    expect(await findSession(world.db, token, world.clock.now())).not.toBeNull()
    expect(await world.sessionCount()).toBe(1)
  })

  test('expired and ended sessions take no place, and the limit is a setting', async () => {
    const account = newAccount()
    await logIn(world.deps, await world.signedLogin(account))
    world.clock.advance(7 * DAY_MS)
    for (let device = 0; device < 3; device++) expect(await world.refusal(await world.signedLogin(account))).toBeNull()
    expect(await world.refusal(await world.signedLogin(account))).toBe(4001)
    await world.db
      .insertInto('setting')
      .values({ key: 'deviceLimit', value: 4, updated_at: world.clock.now() })
      .execute()
    expect(await world.refusal(await world.signedLogin(account))).toBeNull()
  })

  test('logins at once do not pass the limit together', async () => {
    const account = newAccount()
    await logIn(world.deps, await world.signedLogin(account))
    const logins = await Promise.all(Array.from({ length: 8 }, () => world.signedLogin(account)))
    const outcomes = await Promise.all(logins.map((login) => world.refusal(login)))
    expect(outcomes.filter((code) => code === null)).toHaveLength(2)
    expect(await world.sessionCount()).toBe(3)
  })
})

describe('a token', () => {
  test('is 256 bits, stored only as a hash, and good for seven days after its last use', async () => {
    const token = await logIn(world.deps, await world.signedLogin(newAccount()))
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const dump = JSON.stringify(await world.db.selectFrom('session').selectAll().execute(), (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    )
    expect(dump).not.toContain(token)

    world.clock.advance(6 * DAY_MS)
    expect(await findSession(world.db, token, world.clock.now())).not.toBeNull()
    world.clock.advance(6 * DAY_MS)
    expect(await findSession(world.db, token, world.clock.now())).not.toBeNull()
    world.clock.advance(7 * DAY_MS)
    expect(await findSession(world.db, token, world.clock.now())).toBeNull()
  })

  test('ends thirty days after signing in, however much it is used', async () => {
    const token = await logIn(world.deps, await world.signedLogin(newAccount()))
    for (let day = 1; day < 30; day++) {
      world.clock.advance(DAY_MS)
      expect([day, await findSession(world.db, token, world.clock.now())]).not.toEqual([day, null])
    }
    world.clock.advance(DAY_MS - 1)
    expect(await findSession(world.db, token, world.clock.now())).not.toBeNull()
    world.clock.advance(1)
    expect(await findSession(world.db, token, world.clock.now())).toBeNull()
  })

  test('is prolonged at most every five minutes', async () => {
    const token = await logIn(world.deps, await world.signedLogin(newAccount()))
    const expiry = async () =>
      (await world.db.selectFrom('session').select('expires_at').executeTakeFirstOrThrow()).expires_at.getTime()
    const first = await expiry()
    world.clock.advance(5 * MINUTE_MS - 1)
    await findSession(world.db, token, world.clock.now())
    expect(await expiry()).toBe(first)
    world.clock.advance(1)
    await findSession(world.db, token, world.clock.now())
    expect(await expiry()).toBe(first + 5 * MINUTE_MS)
  })

  test('that was signed out is dead at once, and stays so', async () => {
    const token = await logIn(world.deps, await world.signedLogin(newAccount()))
    const session = await findSession(world.db, token, world.clock.now())
    await endSession(world.db, session?.sessionId ?? '', world.clock.now())
    expect(await findSession(world.db, token, world.clock.now())).toBeNull()
    world.clock.advance(10 * MINUTE_MS)
    expect(await findSession(world.db, token, world.clock.now())).toBeNull()
  })
})

describe('the list of devices', () => {
  test('names each live one, the newest first, and marks the one that asks', async () => {
    const account = newAccount()
    const first = await logIn(world.deps, await world.signedLogin(account, { userAgent: 'phone' }))
    world.clock.advance(MINUTE_MS)
    await logIn(world.deps, await world.signedLogin(account, { userAgent: 'desktop' }))
    await logIn(world.deps, await world.signedLogin(newAccount(), { userAgent: 'somebody else' }))
    const session = must(await findSession(world.db, first, world.clock.now()), 'signed in')
    const { items } = await listSessions(world.db, { ...session, now: world.clock.now() })
    expect(items.map(({ userAgent, current }) => ({ userAgent, current }))).toEqual([
      { userAgent: 'desktop', current: false },
      { userAgent: 'phone', current: true },
    ])
  })

  test('signs out one or all others, and never those of somebody else', async () => {
    const account = newAccount()
    const tokens: string[] = []
    for (let device = 0; device < 3; device++) tokens.push(await logIn(world.deps, await world.signedLogin(account)))
    const stranger = await logIn(world.deps, await world.signedLogin(newAccount()))
    const now = world.clock.now()
    const find = async (token = '') => findSession(world.db, token, now)
    const [own, second] = [must(await find(tokens[0]), 'signed in'), must(await find(tokens[1]), 'signed in')]
    const { memberId, sessionId } = own

    const foreign = must(await find(stranger), 'signed in').sessionId
    await expect(revokeSessions(world.db, { memberId, now, id: foreign })).rejects.toMatchObject({ code: 404 })
    expect(await find(stranger)).not.toBeNull()
    expect(await revokeSessions(world.db, { memberId, now, id: second.sessionId })).toBe(1)
    await expect(revokeSessions(world.db, { memberId, now, id: second.sessionId })).rejects.toMatchObject({
      code: 404,
    })
    expect(await find(tokens[1])).toBeNull()
    expect(await revokeSessions(world.db, { memberId, now, allBut: sessionId })).toBe(1)
    expect([await find(tokens[0]), await find(tokens[2])]).toEqual([own, null])
    expect(await find(stranger)).not.toBeNull()
  })
})

test('sweeping removes what is over and nothing that lives', async () => {
  const account = newAccount()
  const token = await logIn(world.deps, await world.signedLogin(account))
  await world.messageFor(account)
  expect(await sweepSessions(world.db, world.clock.now())).toEqual({ nonces: 0, sessions: 0 })
  world.clock.advance(15 * MINUTE_MS)
  expect(await sweepSessions(world.db, world.clock.now())).toEqual({ nonces: 0, sessions: 0 })
  world.clock.advance(1)
  expect(await sweepSessions(world.db, world.clock.now())).toEqual({ nonces: 1, sessions: 0 })
  expect(await findSession(world.db, token, world.clock.now())).not.toBeNull()
  world.clock.advance(38 * DAY_MS)
  expect(await sweepSessions(world.db, world.clock.now())).toEqual({ nonces: 0, sessions: 1 })
})
