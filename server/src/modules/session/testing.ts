import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Database } from '../../db/open.ts'
import { createTestDatabase, type TestDatabase } from '@candela/testing/postgres/test-database'
import { fakeClock, type FakeClock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { systemIds } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { hashToken, type Login, logIn, type LoginDeps } from './log-in/log-in.ts'
import { loginKeyOf } from './log-in/login-key.ts'
import { issueLoginMessage } from './log-in/login-message.ts'
import { createVerifySignature } from '../../chain/signature/verify-signature.ts'

export const site = { domain: 'app.example.org', uri: 'https://app.example.org' }
export const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS

export const newAccount = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())
export const lower = (account: PrivateKeyAccount) => account.address.toLowerCase() as `0x${string}`

/** A database for the file that calls it, emptied before each of its tests, in which people sign in. */
export function useSignIns() {
  let database: TestDatabase
  const fixture = {
    clock: undefined as unknown as FakeClock,
    deps: undefined as unknown as LoginDeps,
    /** How often the chain was asked about a signature. */
    askedContracts: 0,
    get db() {
      return database.db
    },
    async messageFor(account: PrivateKeyAccount, withAddress = true): Promise<string> {
      const address = withAddress ? lower(account) : undefined
      const random = Buffer.from(fixture.deps.ids.token(), 'base64url')
      return issueLoginMessage(await fixture.deps.loginKey(), site, { address, random, issuedAt: fixture.clock.now() })
    },
    async signedLogin(account: PrivateKeyAccount, changes: Partial<Login> = {}): Promise<Login> {
      const message = changes.message ?? (await fixture.messageFor(account))
      return {
        address: lower(account),
        message,
        signature: await account.signMessage({ message }),
        invitationCode: 'CANDELA1',
        replace: false,
        userAgent: 'test',
        clientAddress: '203.0.113.1',
        now: fixture.clock.now(),
        ...changes,
      }
    },
    /** The code that a login is refused with; null when it succeeds. */
    async refusal(login: Login): Promise<number | null> {
      try {
        await logIn(fixture.deps, login)
        return null
      } catch (error) {
        if (error instanceof AppError) return error.code
        throw error
      }
    },
    async memberCount() {
      return Number((await sql<{ n: bigint }>`select count(*) n from member`.execute(database.db)).rows[0]?.n)
    },
    async sessionCount() {
      const { rows } = await sql<{ n: bigint }>`select count(*) n from session where ended_at is null`.execute(
        database.db,
      )
      return Number(rows[0]?.n)
    },
  }
  beforeAll(async () => {
    database = await createTestDatabase({ poolSize: 12 })
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    const { db } = database
    // Not by truncate: it would reach append-only tables that refer to members.
    for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(db)
    await sql`alter table member alter column id restart`.execute(database.owner)
    await sql`alter sequence member_uid_seq restart`.execute(database.owner)
    fixture.clock = fakeClock('2026-03-01T12:00:00.000Z')
    fixture.askedContracts = 0
    const verifySignature = createVerifySignature(async () => {
      fixture.askedContracts += 1
      return false
    }, silentLog())
    fixture.deps = { db, ids: systemIds(fixture.clock), loginKey: loginKeyOf(db), verifySignature }
    await db
      .insertInto('root_invitation')
      .values({ code: 'CANDELA1', created_at: fixture.clock.now(), closed_at: null })
      .execute()
  })
  return fixture
}

const TABLES = ['request_log', 'session', 'used_nonce', 'member', 'root_invitation', 'setting']

/** A session as signing in makes it, for an hour. @returns its token */
export async function addSession(db: Database, memberId: bigint, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('session')
    .values({
      token_hash: hashToken(token),
      id: randomUUID(),
      member_id: memberId,
      created_at: now,
      seen_at: now,
      expires_at: new Date(now.getTime() + 3_600_000),
      ended_at: null,
      user_agent: 'test',
    })
    .execute()
  return token
}
