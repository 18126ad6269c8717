import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { must } from '../../kernel/assert.ts'
import { endSession } from './end-session.ts'
import { findSession } from './find-session.ts'
import { listSessions } from './list-sessions.ts'
import { logIn } from './log-in/log-in.ts'
import { revokeSessions } from './revoke-sessions.ts'
import { transaction } from '../../db/open.ts'
import { sweepNonces, sweepSessions } from './sweep.ts'
import { DAY_MS, MINUTE_MS, newAccount, useSignIns } from './testing.ts'

const fixture = useSignIns()

describe('devices', () => {
  test('of twenty logins at the same time as many succeed as there is room for', async () => {
    const account = newAccount()
    const logins = await Promise.all(Array.from({ length: 20 }, () => fixture.signedLogin(account)))
    const outcomes = await Promise.all(logins.map((login) => fixture.refusal(login)))
    expect(outcomes.filter((code) => code === null)).toHaveLength(3)
    expect(outcomes.filter((code) => code === 4001)).toHaveLength(17)
    expect(await fixture.sessionCount()).toBe(3)
  })

  test('the fourth is 4001; with replace it signs the other three out, by the same signature', async () => {
    const account = newAccount()
    const tokens: string[] = []
    for (let device = 0; device < 3; device++)
      tokens.push(await logIn(fixture.deps, await fixture.signedLogin(account)))
    const fourth = await fixture.signedLogin(account)
    expect(await fixture.refusal(fourth)).toBe(4001)
    const token = await logIn(fixture.deps, { ...fourth, replace: true })
    for (const old of tokens) expect(await findSession(fixture.db, old, fixture.clock.now())).toBeNull()
    expect(await findSession(fixture.db, token, fixture.clock.now())).not.toBeNull()
    expect(await fixture.sessionCount()).toBe(1)
  })

  test('expired and ended sessions take no place, and the limit is a setting', async () => {
    const account = newAccount()
    await logIn(fixture.deps, await fixture.signedLogin(account))
    fixture.clock.advance(7 * DAY_MS)
    for (let device = 0; device < 3; device++)
      expect(await fixture.refusal(await fixture.signedLogin(account))).toBeNull()
    expect(await fixture.refusal(await fixture.signedLogin(account))).toBe(4001)
    await fixture.db
      .insertInto('setting')
      .values({ key: 'deviceLimit', value: 4, updated_at: fixture.clock.now() })
      .execute()
    expect(await fixture.refusal(await fixture.signedLogin(account))).toBeNull()
  })

  test('a place is free again when its session is signed out', async () => {
    const account = newAccount()
    const tokens: string[] = []
    for (let device = 0; device < 3; device++)
      tokens.push(await logIn(fixture.deps, await fixture.signedLogin(account)))
    expect(await fixture.refusal(await fixture.signedLogin(account))).toBe(4001)
    const session = must(await findSession(fixture.db, tokens[1] ?? '', fixture.clock.now()), 'signed in')
    await endSession(fixture.db, session.sessionId, fixture.clock.now())
    expect(await fixture.refusal(await fixture.signedLogin(account))).toBeNull()
  })

  test('replacing signs nobody else out', async () => {
    const other = await logIn(fixture.deps, await fixture.signedLogin(newAccount()))
    const account = newAccount()
    for (let device = 0; device < 3; device++) await logIn(fixture.deps, await fixture.signedLogin(account))
    await logIn(fixture.deps, await fixture.signedLogin(account, { replace: true }))
    expect(await fixture.sessionCount()).toBe(2)
    expect(await findSession(fixture.db, other, fixture.clock.now())).not.toBeNull()
  })

  test('logins at once do not pass the limit together', async () => {
    const account = newAccount()
    await logIn(fixture.deps, await fixture.signedLogin(account))
    const logins = await Promise.all(Array.from({ length: 8 }, () => fixture.signedLogin(account)))
    const outcomes = await Promise.all(logins.map((login) => fixture.refusal(login)))
    expect(outcomes.filter((code) => code === null)).toHaveLength(2)
    expect(await fixture.sessionCount()).toBe(3)
  })
})

describe('a token', () => {
  test('is 256 bits, stored only as a hash, and good for seven days after its last use', async () => {
    const token = await logIn(fixture.deps, await fixture.signedLogin(newAccount()))
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const stored = await fixture.db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
    expect(stored.token_hash).toEqual(createHash('sha256').update(token).digest())
    // Bytes are not legible in JSON: each column is compared as text.
    const texts = Object.values(stored).map((value) =>
      Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
    )
    expect(texts).toContain(stored.id)
    expect(texts.filter((text) => text.includes(token))).toEqual([])

    fixture.clock.advance(6 * DAY_MS)
    expect(await findSession(fixture.db, token, fixture.clock.now())).not.toBeNull()
    fixture.clock.advance(6 * DAY_MS)
    expect(await findSession(fixture.db, token, fixture.clock.now())).not.toBeNull()
    fixture.clock.advance(7 * DAY_MS)
    expect(await findSession(fixture.db, token, fixture.clock.now())).toBeNull()
  })

  test('ends thirty days after signing in, however much it is used', async () => {
    const token = await logIn(fixture.deps, await fixture.signedLogin(newAccount()))
    for (let day = 1; day < 30; day++) {
      fixture.clock.advance(DAY_MS)
      expect([day, await findSession(fixture.db, token, fixture.clock.now())]).not.toEqual([day, null])
    }
    fixture.clock.advance(DAY_MS - 1)
    expect(await findSession(fixture.db, token, fixture.clock.now())).not.toBeNull()
    fixture.clock.advance(1)
    expect(await findSession(fixture.db, token, fixture.clock.now())).toBeNull()
  })

  test('is prolonged at most every five minutes', async () => {
    const token = await logIn(fixture.deps, await fixture.signedLogin(newAccount()))
    const expiry = async () =>
      (await fixture.db.selectFrom('session').select('expires_at').executeTakeFirstOrThrow()).expires_at.getTime()
    const first = await expiry()
    fixture.clock.advance(5 * MINUTE_MS - 1)
    await findSession(fixture.db, token, fixture.clock.now())
    expect(await expiry()).toBe(first)
    fixture.clock.advance(1)
    await findSession(fixture.db, token, fixture.clock.now())
    expect(await expiry()).toBe(first + 5 * MINUTE_MS)
  })

  test('that was signed out is dead at once, and stays so', async () => {
    const token = await logIn(fixture.deps, await fixture.signedLogin(newAccount()))
    const session = await findSession(fixture.db, token, fixture.clock.now())
    await endSession(fixture.db, session?.sessionId ?? '', fixture.clock.now())
    expect(await findSession(fixture.db, token, fixture.clock.now())).toBeNull()
    fixture.clock.advance(10 * MINUTE_MS)
    expect(await findSession(fixture.db, token, fixture.clock.now())).toBeNull()
  })
})

describe('the list of devices', () => {
  test('names each live one, the newest first, and marks the one that asks', async () => {
    const account = newAccount()
    const first = await logIn(fixture.deps, await fixture.signedLogin(account, { userAgent: 'phone' }))
    fixture.clock.advance(MINUTE_MS)
    await logIn(fixture.deps, await fixture.signedLogin(account, { userAgent: 'desktop' }))
    await logIn(fixture.deps, await fixture.signedLogin(newAccount(), { userAgent: 'somebody else' }))
    const session = must(await findSession(fixture.db, first, fixture.clock.now()), 'signed in')
    const { items } = await listSessions(fixture.db, { ...session, now: fixture.clock.now() })
    expect(items.map(({ userAgent, current }) => ({ userAgent, current }))).toEqual([
      { userAgent: 'desktop', current: false },
      { userAgent: 'phone', current: true },
    ])
  })

  test('signs out one or all others, and never those of somebody else', async () => {
    const account = newAccount()
    const tokens: string[] = []
    for (let device = 0; device < 3; device++)
      tokens.push(await logIn(fixture.deps, await fixture.signedLogin(account)))
    const stranger = await logIn(fixture.deps, await fixture.signedLogin(newAccount()))
    const now = fixture.clock.now()
    const find = async (token = '') => findSession(fixture.db, token, now)
    const [own, second] = [must(await find(tokens[0]), 'signed in'), must(await find(tokens[1]), 'signed in')]
    const { memberId, sessionId } = own

    const foreign = must(await find(stranger), 'signed in').sessionId
    await expect(revokeSessions(fixture.db, { memberId, now, id: foreign })).rejects.toMatchObject({ code: 404 })
    expect(await find(stranger)).not.toBeNull()
    expect(await revokeSessions(fixture.db, { memberId, now, id: second.sessionId })).toBe(1)
    await expect(revokeSessions(fixture.db, { memberId, now, id: second.sessionId })).rejects.toMatchObject({
      code: 404,
    })
    expect(await find(tokens[1])).toBeNull()
    expect(await revokeSessions(fixture.db, { memberId, now, allBut: sessionId })).toBe(1)
    expect([(await find(tokens[0]))?.sessionId, await find(tokens[2])]).toEqual([sessionId, null])
    expect(await find(stranger)).not.toBeNull()
  })
})

/** As the periodic task does, one row at a time. */
async function sweep() {
  const now = fixture.clock.now()
  const all = async (batch: typeof sweepNonces) => {
    let total = 0
    for (let done = 1; done > 0; total += done) done = await transaction(fixture.db, (tx) => batch(tx, now, 1))
    return total
  }
  return { nonces: await all(sweepNonces), sessions: await all(sweepSessions) }
}

test('sweeping removes what is over and nothing that lives', async () => {
  const account = newAccount()
  const token = await logIn(fixture.deps, await fixture.signedLogin(account))
  await fixture.messageFor(account)
  expect(await sweep()).toEqual({ nonces: 0, sessions: 0 })
  fixture.clock.advance(15 * MINUTE_MS)
  expect(await sweep()).toEqual({ nonces: 0, sessions: 0 })
  fixture.clock.advance(1)
  expect(await sweep()).toEqual({ nonces: 1, sessions: 0 })
  expect(await findSession(fixture.db, token, fixture.clock.now())).not.toBeNull()
  fixture.clock.advance(38 * DAY_MS)
  expect(await sweep()).toEqual({ nonces: 0, sessions: 1 })
})
