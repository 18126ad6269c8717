import { sql } from 'kysely'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { parseSiweMessage, validateSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../db/testing.ts'
import { must } from '../../kernel/assert.ts'
import { fakeClock, type FakeClock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { systemIds } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { endSession } from './end-session.ts'
import { findSession } from './find-session.ts'
import { listSessions } from './list-sessions.ts'
import { type Login, logIn, type LoginDeps } from './log-in.ts'
import { revokeSessions } from './revoke-sessions.ts'
import { loginKeyOf } from './login-key.ts'
import { ANY_ADDRESS, issueLoginMessage } from './login-message.ts'
import { sweepSessions } from './sweep.ts'
import { createVerifySignature } from './verify-signature.ts'

const site = { domain: 'app.example.org', uri: 'https://app.example.org' }
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let database: TestDatabase
let clock: FakeClock
let deps: LoginDeps
let askedContracts = 0

beforeAll(async () => {
  database = await createTestDatabase({ poolSize: 12 })
})
afterAll(() => database.drop())

beforeEach(async () => {
  const { db } = database
  // Not by truncate: it would reach append-only tables that refer to members.
  for (const table of ['request_log', 'session', 'used_nonce', 'member', 'root_invitation', 'setting']) {
    await sql`delete from ${sql.table(table)}`.execute(db)
  }
  await sql`alter table member alter column id restart`.execute(db)
  await sql`alter sequence member_uid_seq restart`.execute(db)
  clock = fakeClock('2026-03-01T12:00:00.000Z')
  askedContracts = 0
  const verifySignature = createVerifySignature(async () => {
    askedContracts += 1
    return false
  }, silentLog())
  deps = { db, ids: systemIds(clock), loginKey: loginKeyOf(db), verifySignature }
  await db
    .insertInto('root_invitation')
    .values({ code: 'CANDELA1', created_at: clock.now(), closed_at: null })
    .execute()
})

const newAccount = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())
const lower = (account: PrivateKeyAccount) => account.address.toLowerCase() as `0x${string}`

async function messageFor(account: PrivateKeyAccount, withAddress = true): Promise<string> {
  const address = withAddress ? lower(account) : undefined
  const random = Buffer.from(deps.ids.token(), 'base64url')
  return issueLoginMessage(await deps.loginKey(), site, { address, random, issuedAt: clock.now() })
}

async function signedLogin(account: PrivateKeyAccount, changes: Partial<Login> = {}): Promise<Login> {
  const message = changes.message ?? (await messageFor(account))
  return {
    address: lower(account),
    message,
    signature: await account.signMessage({ message }),
    invitationCode: 'CANDELA1',
    replace: false,
    userAgent: 'test',
    now: clock.now(),
    ...changes,
  }
}

/** The code that a login is refused with; null when it succeeds. */
async function refusal(login: Login): Promise<number | null> {
  try {
    await logIn(deps, login)
    return null
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

const memberCount = async () =>
  Number((await sql<{ n: bigint }>`select count(*) n from member`.execute(database.db)).rows[0]?.n)
const sessionCount = async () =>
  Number(
    (await sql<{ n: bigint }>`select count(*) n from session where ended_at is null`.execute(database.db)).rows[0]?.n,
  )

describe('the login message', () => {
  test('is an EIP-4361 message that viem reads, for five minutes, with a nonce of its own', async () => {
    const account = newAccount()
    const message = await messageFor(account)
    const parsed = parseSiweMessage(message)
    expect(parsed).toMatchObject({
      address: account.address,
      domain: 'app.example.org',
      uri: 'https://app.example.org',
      version: '1',
      chainId: 210_000,
      issuedAt: clock.now(),
      expirationTime: new Date(clock.now().getTime() + 5 * MINUTE_MS),
    })
    expect(parsed.nonce).toMatch(/^[0-9a-f]{64}$/)
    expect(/^[\n -~]*$/.test(message)).toBe(true)
    expect(
      validateSiweMessage({ message: parsed, domain: site.domain, nonce: parsed.nonce ?? '', time: clock.now() }),
    ).toBe(true)
    expect(parseSiweMessage(await messageFor(account)).nonce).not.toBe(parsed.nonce)
  })

  test('without an address stays well formed, and whoever signs it is signed in', async () => {
    const account = newAccount()
    const message = await messageFor(account, false)
    expect(parseSiweMessage(message).address).toBe('0x0000000000000000000000000000000000000000')
    expect(await refusal(await signedLogin(account, { message }))).toBeNull()
  })
})

describe('the first login', () => {
  test('makes the account with a UID, a code of its own and whoever invited it', async () => {
    const first = newAccount()
    await logIn(deps, await signedLogin(first))
    const root = await database.db.selectFrom('member').selectAll().executeTakeFirstOrThrow()
    expect(root).toMatchObject({ uid: 10_001n, address: lower(first), inviter_id: null, joined_at: clock.now() })
    expect(root.invitation_code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)

    const second = newAccount()
    await logIn(deps, await signedLogin(second, { invitationCode: root.invitation_code }))
    const invited = await database.db
      .selectFrom('member')
      .selectAll()
      .where('address', '=', lower(second))
      .executeTakeFirstOrThrow()
    expect(invited).toMatchObject({ uid: 10_002n, inviter_id: root.id })
    expect(invited.invitation_code).not.toBe(root.invitation_code)
  })

  test('without a code is 4002, with an unknown or closed one 4003, and then succeeds with the same signature', async () => {
    const login = await signedLogin(newAccount(), { invitationCode: undefined })
    expect(await refusal(login)).toBe(4002)
    expect(await refusal({ ...login, invitationCode: '' })).toBe(4002)
    expect(await refusal({ ...login, invitationCode: 'NOBODY99' })).toBe(4003)
    await database.db.updateTable('root_invitation').set({ closed_at: clock.now() }).execute()
    expect(await refusal({ ...login, invitationCode: 'CANDELA1' })).toBe(4003)
    expect(await memberCount()).toBe(0)
    await database.db.updateTable('root_invitation').set({ closed_at: null }).execute()
    expect(await refusal({ ...login, invitationCode: 'CANDELA1' })).toBeNull()
    expect(await memberCount()).toBe(1)
  })

  test('a known address needs no code', async () => {
    const account = newAccount()
    await logIn(deps, await signedLogin(account))
    expect(await refusal(await signedLogin(account, { invitationCode: undefined }))).toBeNull()
    expect(await memberCount()).toBe(1)
  })

  test('of one address from two messages at once makes one account', async () => {
    const account = newAccount()
    const logins = await Promise.all([signedLogin(account), signedLogin(account), signedLogin(account)])
    expect(await Promise.all(logins.map(refusal))).toEqual([null, null, null])
    expect(await memberCount()).toBe(1)
  })
})

describe('a login message is refused', () => {
  test('when it was used', async () => {
    const login = await signedLogin(newAccount())
    expect(await refusal(login)).toBeNull()
    expect(await refusal(login)).toBe(4004)
  })

  test('when it is older than five minutes, to the millisecond', async () => {
    const login = await signedLogin(newAccount())
    clock.advance(5 * MINUTE_MS)
    expect(await refusal({ ...login, now: clock.now() })).toBe(4004)
    clock.advance(-1)
    expect(await refusal({ ...login, now: clock.now() })).toBeNull()
  })

  test('when we did not issue exactly this text', async () => {
    const account = newAccount()
    const issued = await messageFor(account)
    const other = parseSiweMessage(issued).nonce ?? ''
    for (const message of [
      issued.replace('app.example.org wants', 'evil.example.org wants'),
      issued.replace('Chain ID: 210000', 'Chain ID: 1'),
      issued.replace(other, 'f'.repeat(64)),
      issued.replace(other, other.slice(0, 32)),
      issued.replace(/^Expiration Time: 2026/m, 'Expiration Time: 2027'),
      issued.replace(account.address, newAccount().address),
      issued.replace(account.address, ANY_ADDRESS),
      `${issued}\nResources:\n- https://evil.example.org`,
      `${issued} `,
      'hello',
    ]) {
      expect(await refusal(await signedLogin(account, { message }))).toBe(4004)
    }
    expect(await memberCount()).toBe(0)
  })

  test('when it was issued for another address', async () => {
    const message = await messageFor(newAccount())
    expect(await refusal(await signedLogin(newAccount(), { message }))).toBe(4005)
  })

  test('when another installation proved it', async () => {
    const account = newAccount()
    const terms = { address: lower(account), random: Buffer.alloc(16, 7), issuedAt: clock.now() }
    const message = issueLoginMessage(Buffer.alloc(32, 1), site, terms)
    expect(await refusal(await signedLogin(account, { message }))).toBe(4004)
  })

  test('when it was for any address and two use it at the same time', async () => {
    const accounts = [newAccount(), newAccount()]
    for (const account of accounts) await logIn(deps, await signedLogin(account))
    for (let round = 0; round < 10; round++) {
      const message = await messageFor(newAccount(), false)
      const logins = await Promise.all(accounts.map((account) => signedLogin(account, { message, replace: true })))
      const outcomes = await Promise.all(logins.map(refusal))
      expect(new Set(outcomes)).toEqual(new Set([null, 4004]))
    }
  })

  test('20 logins with one nonce at the same time get one token', async () => {
    const login = await signedLogin(newAccount())
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => refusal(login)))
    expect(outcomes.filter((code) => code === null)).toHaveLength(1)
    expect(outcomes.filter((code) => code === 4004)).toHaveLength(19)
    expect(await sessionCount()).toBe(1)
  })
})

describe('a signature', () => {
  test('by another key, of another text, or mangled is 4005 and leaves the message usable', async () => {
    const account = newAccount()
    const login = await signedLogin(account)
    const wrong: `0x${string}`[] = [
      await newAccount().signMessage({ message: login.message }),
      await account.signMessage({ message: `${login.message}!` }),
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(65)}`,
      login.signature.replace(/..$/, '05') as `0x${string}`,
      login.signature.slice(0, -2) as `0x${string}`,
      `${login.signature}00`,
    ]
    for (const signature of wrong) expect(await refusal({ ...login, signature })).toBe(4005)
    expect(await memberCount()).toBe(0)
    expect(await refusal(login)).toBeNull()
  })

  test('with recovery id 0 or 1, as some hardware wallets write it, is as good', async () => {
    const login = await signedLogin(newAccount())
    const v = Number.parseInt(login.signature.slice(-2), 16) - 27
    const signature = `${login.signature.slice(0, -2)}0${v}` as `0x${string}`
    expect(await refusal({ ...login, signature })).toBeNull()
    expect(askedContracts).toBe(0)
  })

  test('that no key made is put to the chain, a few at a time, and a flood of them is told to slow down', async () => {
    let running = 0
    let most = 0
    const gate = Promise.withResolvers<boolean>()
    deps = {
      ...deps,
      verifySignature: createVerifySignature(async () => {
        running += 1
        most = Math.max(most, running)
        const answer = await gate.promise
        running -= 1
        return answer
      }, silentLog()),
    }
    const account = newAccount()
    const login = await signedLogin(account, { signature: `0x${'ab'.repeat(200)}` })
    const flood = Array.from({ length: 60 }, () => refusal(login))
    // A plain key gets in while all of these wait.
    expect(await refusal(await signedLogin(newAccount()))).toBeNull()
    gate.resolve(false)
    const outcomes = await Promise.all(flood)
    expect(most).toBe(4)
    expect(outcomes.filter((code) => code === 4005)).toHaveLength(36)
    expect(outcomes.filter((code) => code === 429)).toHaveLength(24)
  })

  test('that the chain cannot be asked about is 5032, not a wrong signature', async () => {
    const verifySignature = createVerifySignature(() => Promise.reject(new Error('no connection')), silentLog())
    deps = { ...deps, verifySignature }
    expect(await refusal(await signedLogin(newAccount(), { signature: '0x1234' }))).toBe(5032)
  })
})

describe('devices', () => {
  test('the fourth is 4001; with replace it signs the other three out, by the same signature', async () => {
    const account = newAccount()
    const tokens: string[] = []
    for (let device = 0; device < 3; device++) tokens.push(await logIn(deps, await signedLogin(account)))
    const fourth = await signedLogin(account)
    expect(await refusal(fourth)).toBe(4001)
    const token = await logIn(deps, { ...fourth, replace: true })
    for (const old of tokens) expect(await findSession(database.db, old, clock.now())).toBeNull()
    expect(await findSession(database.db, token, clock.now())).not.toBeNull()
    expect(await sessionCount()).toBe(1)
  })

  test('expired and ended sessions take no place, and the limit is a setting', async () => {
    const account = newAccount()
    await logIn(deps, await signedLogin(account))
    clock.advance(7 * DAY_MS)
    for (let device = 0; device < 3; device++) expect(await refusal(await signedLogin(account))).toBeNull()
    expect(await refusal(await signedLogin(account))).toBe(4001)
    await database.db.insertInto('setting').values({ key: 'deviceLimit', value: 4, updated_at: clock.now() }).execute()
    expect(await refusal(await signedLogin(account))).toBeNull()
  })

  test('logins at once do not pass the limit together', async () => {
    const account = newAccount()
    await logIn(deps, await signedLogin(account))
    const logins = await Promise.all(Array.from({ length: 8 }, () => signedLogin(account)))
    const outcomes = await Promise.all(logins.map(refusal))
    expect(outcomes.filter((code) => code === null)).toHaveLength(2)
    expect(await sessionCount()).toBe(3)
  })
})

describe('a token', () => {
  test('is 256 bits, stored only as a hash, and good for seven days after its last use', async () => {
    const token = await logIn(deps, await signedLogin(newAccount()))
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const dump = JSON.stringify(await database.db.selectFrom('session').selectAll().execute(), (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    )
    expect(dump).not.toContain(token)

    clock.advance(6 * DAY_MS)
    expect(await findSession(database.db, token, clock.now())).not.toBeNull()
    clock.advance(6 * DAY_MS)
    expect(await findSession(database.db, token, clock.now())).not.toBeNull()
    clock.advance(7 * DAY_MS)
    expect(await findSession(database.db, token, clock.now())).toBeNull()
  })

  test('is prolonged at most every five minutes', async () => {
    const token = await logIn(deps, await signedLogin(newAccount()))
    const expiry = async () =>
      (await database.db.selectFrom('session').select('expires_at').executeTakeFirstOrThrow()).expires_at.getTime()
    const first = await expiry()
    clock.advance(5 * MINUTE_MS - 1)
    await findSession(database.db, token, clock.now())
    expect(await expiry()).toBe(first)
    clock.advance(1)
    await findSession(database.db, token, clock.now())
    expect(await expiry()).toBe(first + 5 * MINUTE_MS)
  })

  test('that was signed out is dead at once, and stays so', async () => {
    const token = await logIn(deps, await signedLogin(newAccount()))
    const session = await findSession(database.db, token, clock.now())
    await endSession(database.db, session?.sessionId ?? '', clock.now())
    expect(await findSession(database.db, token, clock.now())).toBeNull()
    clock.advance(10 * MINUTE_MS)
    expect(await findSession(database.db, token, clock.now())).toBeNull()
  })
})

describe('the list of devices', () => {
  test('names each live one, the newest first, and marks the one that asks', async () => {
    const account = newAccount()
    const first = await logIn(deps, await signedLogin(account, { userAgent: 'phone' }))
    clock.advance(MINUTE_MS)
    await logIn(deps, await signedLogin(account, { userAgent: 'desktop' }))
    await logIn(deps, await signedLogin(newAccount(), { userAgent: 'somebody else' }))
    const session = must(await findSession(database.db, first, clock.now()), 'signed in')
    const { items } = await listSessions(database.db, { ...session, now: clock.now() })
    expect(items.map(({ userAgent, current }) => ({ userAgent, current }))).toEqual([
      { userAgent: 'desktop', current: false },
      { userAgent: 'phone', current: true },
    ])
  })

  test('signs out one or all others, and never those of somebody else', async () => {
    const account = newAccount()
    const tokens: string[] = []
    for (let device = 0; device < 3; device++) tokens.push(await logIn(deps, await signedLogin(account)))
    const stranger = await logIn(deps, await signedLogin(newAccount()))
    const now = clock.now()
    const find = async (token = '') => findSession(database.db, token, now)
    const [own, second] = [must(await find(tokens[0]), 'signed in'), must(await find(tokens[1]), 'signed in')]
    const { memberId, sessionId } = own

    const foreign = must(await find(stranger), 'signed in').sessionId
    await expect(revokeSessions(database.db, { memberId, now, id: foreign })).rejects.toMatchObject({ code: 404 })
    expect(await find(stranger)).not.toBeNull()
    expect(await revokeSessions(database.db, { memberId, now, id: second.sessionId })).toBe(1)
    await expect(revokeSessions(database.db, { memberId, now, id: second.sessionId })).rejects.toMatchObject({
      code: 404,
    })
    expect(await find(tokens[1])).toBeNull()
    expect(await revokeSessions(database.db, { memberId, now, allBut: sessionId })).toBe(1)
    expect([await find(tokens[0]), await find(tokens[2])]).toEqual([own, null])
    expect(await find(stranger)).not.toBeNull()
  })
})

test('sweeping removes what is over and nothing that lives', async () => {
  const account = newAccount()
  const token = await logIn(deps, await signedLogin(account))
  await messageFor(account)
  expect(await sweepSessions(database.db, clock.now())).toEqual({ nonces: 0, sessions: 0 })
  clock.advance(5 * MINUTE_MS + 1)
  expect(await sweepSessions(database.db, clock.now())).toEqual({ nonces: 1, sessions: 0 })
  expect(await findSession(database.db, token, clock.now())).not.toBeNull()
  clock.advance(38 * DAY_MS)
  expect(await sweepSessions(database.db, clock.now())).toEqual({ nonces: 0, sessions: 1 })
})
