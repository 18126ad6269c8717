import { parseSiweMessage, validateSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { silentLog } from '../../kernel/log.ts'
import { logIn } from './log-in/log-in.ts'
import { ANY_ADDRESS, issueLoginMessage } from './log-in/login-message.ts'
import { transaction } from '../../db/open.ts'
import { sweepNonces } from './sweep.ts'
import { lower, MINUTE_MS, newAccount, site, useSignIns } from './testing.ts'
import { createVerifySignature } from '../../chain/signature/verify-signature.ts'

const fixture = useSignIns()

/** A login of somebody new that no key has signed, so that a contract is asked. */
const byContract = (clientAddress: string) =>
  fixture.signedLogin(newAccount(), { signature: `0x${'ab'.repeat(200)}`, clientAddress })

describe('the login message', () => {
  test('is an EIP-4361 message that viem reads, for five minutes, with a nonce of its own', async () => {
    const account = newAccount()
    const message = await fixture.messageFor(account)
    const parsed = parseSiweMessage(message)
    expect(parsed).toMatchObject({
      address: account.address,
      domain: 'app.example.org',
      uri: 'https://app.example.org',
      version: '1',
      chainId: 210_000,
      issuedAt: fixture.clock.now(),
      expirationTime: new Date(fixture.clock.now().getTime() + 5 * MINUTE_MS),
    })
    expect(parsed.nonce).toMatch(/^[0-9a-f]{64}$/)
    expect(/^[\n -~]*$/.test(message)).toBe(true)
    expect(
      validateSiweMessage({
        message: parsed,
        domain: site.domain,
        nonce: parsed.nonce ?? '',
        time: fixture.clock.now(),
      }),
    ).toBe(true)
    expect(parseSiweMessage(await fixture.messageFor(account)).nonce).not.toBe(parsed.nonce)
  })

  test('without an address stays well formed, and whoever signs it is signed in', async () => {
    const account = newAccount()
    const message = await fixture.messageFor(account, false)
    expect(parseSiweMessage(message).address).toBe('0x0000000000000000000000000000000000000000')
    expect(await fixture.refusal(await fixture.signedLogin(account, { message }))).toBeNull()
  })
})

describe('the first login', () => {
  test('makes the account with a UID, a code of its own and whoever invited it', async () => {
    const first = newAccount()
    await logIn(fixture.deps, await fixture.signedLogin(first))
    const root = await fixture.db.selectFrom('member').selectAll().executeTakeFirstOrThrow()
    expect(root).toMatchObject({
      uid: 10_001n,
      address: lower(first),
      inviter_id: null,
      joined_at: fixture.clock.now(),
    })
    expect(root.invitation_code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)

    const second = newAccount()
    const login = await fixture.signedLogin(second, { invitationCode: root.invitation_code })
    expect(await fixture.refusal(login)).toBe(4003)
    await fixture.db.updateTable('member').set({ code_open_at: fixture.clock.now() }).execute()
    expect(await fixture.refusal(login)).toBeNull()
    const invited = await fixture.db
      .selectFrom('member')
      .selectAll()
      .where('address', '=', lower(second))
      .executeTakeFirstOrThrow()
    expect(invited).toMatchObject({ uid: 10_002n, inviter_id: root.id })
    expect(invited.invitation_code).not.toBe(root.invitation_code)
  })

  test('without a code is 4002, with an unknown or closed one 4003, and then succeeds with the same signature', async () => {
    const login = await fixture.signedLogin(newAccount(), { invitationCode: undefined })
    expect(await fixture.refusal(login)).toBe(4002)
    expect(await fixture.refusal({ ...login, invitationCode: '' })).toBe(4002)
    expect(await fixture.refusal({ ...login, invitationCode: 'NOBODY99' })).toBe(4003)
    await fixture.db.updateTable('root_invitation').set({ closed_at: fixture.clock.now() }).execute()
    expect(await fixture.refusal({ ...login, invitationCode: 'CANDELA1' })).toBe(4003)
    expect(await fixture.memberCount()).toBe(0)
    await fixture.db.updateTable('root_invitation').set({ closed_at: null }).execute()
    expect(await fixture.refusal({ ...login, invitationCode: 'CANDELA1' })).toBeNull()
    expect(await fixture.memberCount()).toBe(1)
  })

  test('a known address needs no code', async () => {
    const account = newAccount()
    await logIn(fixture.deps, await fixture.signedLogin(account))
    expect(await fixture.refusal(await fixture.signedLogin(account, { invitationCode: undefined }))).toBeNull()
    expect(await fixture.memberCount()).toBe(1)
  })

  test('of one address from two messages at once makes one account', async () => {
    const account = newAccount()
    const logins = await Promise.all([
      fixture.signedLogin(account),
      fixture.signedLogin(account),
      fixture.signedLogin(account),
    ])
    expect(await Promise.all(logins.map((login) => fixture.refusal(login)))).toEqual([null, null, null])
    expect(await fixture.memberCount()).toBe(1)
  })
})

describe('a login message is refused', () => {
  test('when it was used', async () => {
    const login = await fixture.signedLogin(newAccount())
    expect(await fixture.refusal(login)).toBeNull()
    expect(await fixture.refusal(login)).toBe(4004)
  })

  test('when it is older than five minutes, to the millisecond', async () => {
    const login = await fixture.signedLogin(newAccount())
    fixture.clock.advance(5 * MINUTE_MS)
    expect(await fixture.refusal({ ...login, now: fixture.clock.now() })).toBe(4004)
    fixture.clock.advance(-1)
    expect(await fixture.refusal({ ...login, now: fixture.clock.now() })).toBeNull()
  })

  test('when we did not issue exactly this text', async () => {
    const account = newAccount()
    const issued = await fixture.messageFor(account)
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
      expect(await fixture.refusal(await fixture.signedLogin(account, { message }))).toBe(4004)
    }
    expect(await fixture.memberCount()).toBe(0)
  })

  test('when it was issued for another address', async () => {
    const message = await fixture.messageFor(newAccount())
    expect(await fixture.refusal(await fixture.signedLogin(newAccount(), { message }))).toBe(4005)
  })

  test('when another installation proved it', async () => {
    const account = newAccount()
    const terms = { address: lower(account), random: Buffer.alloc(16, 7), issuedAt: fixture.clock.now() }
    const message = issueLoginMessage(Buffer.alloc(32, 1), site, terms)
    expect(await fixture.refusal(await fixture.signedLogin(account, { message }))).toBe(4004)
  })

  test('when it was for any address and two use it at the same time', async () => {
    const accounts = [newAccount(), newAccount()]
    for (const account of accounts) await logIn(fixture.deps, await fixture.signedLogin(account))
    for (let round = 0; round < 10; round++) {
      const message = await fixture.messageFor(newAccount(), false)
      const logins = await Promise.all(
        accounts.map((account) => fixture.signedLogin(account, { message, replace: true })),
      )
      const outcomes = await Promise.all(logins.map((login) => fixture.refusal(login)))
      expect(new Set(outcomes)).toEqual(new Set([null, 4004]))
    }
  })

  test('20 logins with one nonce at the same time get one token', async () => {
    const login = await fixture.signedLogin(newAccount())
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => fixture.refusal(login)))
    expect(outcomes.filter((code) => code === null)).toHaveLength(1)
    expect(outcomes.filter((code) => code === 4004)).toHaveLength(19)
    expect(await fixture.sessionCount()).toBe(1)
  })

  test('when a login that was checked in time is only done after the used nonces were swept', async () => {
    const account = newAccount()
    const login = await fixture.signedLogin(account)
    const checked = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<boolean>()
    const slow = { ...fixture.deps, verifySignature: () => (checked.resolve(), gate.promise) }
    const late = logIn(slow, login)
    await checked.promise
    expect(await fixture.refusal(login)).toBeNull()
    fixture.clock.advance(15 * MINUTE_MS - 1)
    await transaction(fixture.db, (tx) => sweepNonces(tx, fixture.clock.now(), 10))
    gate.resolve(true)
    await expect(late).rejects.toMatchObject({ code: 4004 })
    expect(await fixture.sessionCount()).toBe(1)
    // With a message of its own the same slow login is done.
    expect(await logIn(slow, await fixture.signedLogin(account))).not.toBe('')
  })
})

describe('a signature', () => {
  test('by another key, of another text, or mangled is 4005 and leaves the message usable', async () => {
    const account = newAccount()
    const login = await fixture.signedLogin(account)
    const wrong: `0x${string}`[] = [
      await newAccount().signMessage({ message: login.message }),
      await account.signMessage({ message: `${login.message}!` }),
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(65)}`,
      login.signature.replace(/..$/, '05') as `0x${string}`,
      login.signature.slice(0, -2) as `0x${string}`,
      `${login.signature}00`,
    ]
    for (const signature of wrong) expect(await fixture.refusal({ ...login, signature })).toBe(4005)
    expect(await fixture.memberCount()).toBe(0)
    expect(await fixture.refusal(login)).toBeNull()
  })

  test('with recovery id 0 or 1, as some hardware wallets write it, is as good', async () => {
    const login = await fixture.signedLogin(newAccount())
    const v = Number.parseInt(login.signature.slice(-2), 16) - 27
    const signature = `${login.signature.slice(0, -2)}0${v}` as `0x${string}`
    expect(await fixture.refusal({ ...login, signature })).toBeNull()
    expect(fixture.askedContracts).toBe(0)
  })

  test('that no key made is checked on chain, a few at a time, and too many at once are told to slow down', async () => {
    let running = 0
    let highest = 0
    const gate = Promise.withResolvers<boolean>()
    fixture.deps = {
      ...fixture.deps,
      verifySignature: createVerifySignature(async () => {
        running += 1
        highest = Math.max(highest, running)
        const answer = await gate.promise
        running -= 1
        return answer
      }, silentLog()),
    }
    // Each of somebody else.
    const logins = await Promise.all(Array.from({ length: 60 }, (_none, nth) => byContract(`203.0.113.${nth}`)))
    const flood = logins.map((login) => fixture.refusal(login))
    // A plain key gets in while all of these wait.
    expect(await fixture.refusal(await fixture.signedLogin(newAccount()))).toBeNull()
    gate.resolve(false)
    const outcomes = await Promise.all(flood)
    expect(highest).toBe(4)
    expect(outcomes.filter((code) => code === 4005)).toHaveLength(36)
    expect(outcomes.filter((code) => code === 429)).toHaveLength(24)
  })

  test('by a contract makes nobody else wait, however many one network or one account sends', async () => {
    const gate = Promise.withResolvers<boolean>()
    const [honest, flooded] = [await byContract('198.51.100.1'), await byContract('198.51.100.2')]
    const asked: string[] = []
    fixture.deps = {
      ...fixture.deps,
      verifySignature: createVerifySignature(({ address }) => {
        asked.push(address)
        return address === honest.address ? Promise.resolve(true) : gate.promise
      }, silentLog()),
    }
    const ofNetwork = await Promise.all(Array.from({ length: 40 }, () => byContract('203.0.113.1')))
    const ofAccount = Array.from({ length: 40 }, (_none, nth) => ({
      ...flooded,
      clientAddress: `203.0.113.${nth + 2}`,
    }))
    const flood = [...ofNetwork, ...ofAccount].map((login) => fixture.refusal(login))
    await expect.poll(() => asked.length).toBe(2)
    // All places where one can wait are taken, and both floods are still under way.
    expect(await fixture.refusal(honest)).toBeNull()
    expect(asked).toHaveLength(3)
    gate.resolve(false)
    expect(new Set(await Promise.all(flood))).toEqual(new Set([4005, 429]))
  })

  test('is checked in turns: of many at once some are told to wait, and what else there is to do goes on between', async () => {
    const login = await fixture.signedLogin(newAccount(), { signature: `0x${'ab'.repeat(65)}` })
    const looks: number[] = []
    let checked = 0
    const outcomes = Promise.all(
      Array.from({ length: 100 }, async () => {
        const code = await fixture.refusal(login)
        checked += 1
        return code
      }),
    )
    for (let look = 0; look < 50; look++) {
      await new Promise((resolve) => setImmediate(resolve))
      looks.push(checked)
    }
    const codesOf = await outcomes
    expect(codesOf.filter((code) => code === 429)).toHaveLength(36)
    expect(codesOf.filter((code) => code === 4005)).toHaveLength(64)
    // The refusals come at once, and then the eight checks of a turn, or of two turns between two looks.
    const steps = looks.map((now, at) => now - (looks[at - 1] ?? 0)).filter((step) => step < 30)
    expect(Math.max(...steps)).toBeLessThanOrEqual(16)
  })

  test('that the chain cannot be asked about is 5032, not a wrong signature', async () => {
    const verifySignature = createVerifySignature(() => Promise.reject(new Error('no connection')), silentLog())
    fixture.deps = { ...fixture.deps, verifySignature }
    expect(await fixture.refusal(await fixture.signedLogin(newAccount(), { signature: '0x1234' }))).toBe(5032)
  })
})
