import { createHash } from 'node:crypto'
import { codes } from '@candela/protocol/codes'
import { type Database, transaction, type Tx } from '../../db/open.ts'
import { readSettings } from '../../db/settings.ts'
import { AppError } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { enrol } from './enrol.ts'
import { nonceOf } from './login-message.ts'
import type { VerifySignature } from './verify-signature.ts'

/** A session that is not used for this long ends by itself. */
export const SESSION_MS = 7 * 24 * 3_600_000

export type Login = {
  address: `0x${string}`
  message: string
  signature: `0x${string}`
  invitationCode: string | undefined
  /** Sign the other devices out when there are too many. */
  replace: boolean
  userAgent: string
  now: Date
}

export type LoginDeps = { db: Database; ids: IdSource; verifySignature: VerifySignature }

/**
 * Exchanges a signed login message for a session token, which only the caller ever sees.
 *
 * The message is used up in the transaction that makes the session, by exactly one login. Whatever is refused before
 * (wrong signature, missing code, too many devices) leaves it usable until it expires: a wrong signature proves nothing
 * about the person who holds the message, and using it up would let anyone who saw it lock them out.
 * @throws AppError 4001 to 4005
 */
export async function logIn(deps: LoginDeps, login: Login): Promise<string> {
  const nonce = await findIssued(deps.db, login)
  // No connection is held while the chain may be asked.
  if (!(await deps.verifySignature(login))) throw new AppError(codes.signatureWrong)
  const { deviceLimit } = await readSettings(deps.db)
  return transaction(deps.db, async (tx) => {
    await useUp(tx, nonce, login.now)
    const memberId = await enrol(tx, deps.ids, login)
    await makeRoom(tx, memberId, deviceLimit, login)
    return openSession(tx, deps.ids, memberId, login)
  })
}

/** The message must be word for word one that we issued, for this address if for any, and still fresh. */
async function findIssued(db: Database, { address, message, now }: Login): Promise<string> {
  const nonce = nonceOf(message)
  const issued =
    nonce === null
      ? undefined
      : await db.selectFrom('login_message').selectAll().where('nonce', '=', nonce).executeTakeFirst()
  if (issued === undefined || issued.message !== message || issued.used_at !== null || issued.expires_at <= now) {
    throw new AppError(codes.loginMessageUsed)
  }
  if (issued.address !== null && issued.address !== address) throw new AppError(codes.signatureWrong)
  return issued.nonce
}

async function useUp(tx: Tx, nonce: string, now: Date): Promise<void> {
  const used = await tx
    .updateTable('login_message')
    .set({ used_at: now })
    .where('nonce', '=', nonce)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('nonce')
    .executeTakeFirst()
  if (used === undefined) throw new AppError(codes.loginMessageUsed)
}

async function makeRoom(tx: Tx, memberId: bigint, deviceLimit: number, { replace, now }: Login): Promise<void> {
  // The member's row serialises its logins: two at once must not both find the last place free.
  await tx.selectFrom('member').select('id').where('id', '=', memberId).forNoKeyUpdate().executeTakeFirstOrThrow()
  const live = await tx
    .selectFrom('session')
    .select('id')
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .execute()
  if (live.length < deviceLimit) return
  if (!replace) throw new AppError(codes.deviceLimit, { limit: deviceLimit })
  const others = live.map(({ id }) => id)
  await tx.updateTable('session').set({ ended_at: now }).where('id', 'in', others).execute()
}

async function openSession(tx: Tx, ids: IdSource, memberId: bigint, { now, userAgent }: Login): Promise<string> {
  const token = ids.token()
  await tx
    .insertInto('session')
    .values({
      token_hash: hashToken(token),
      id: ids.uuid(),
      member_id: memberId,
      created_at: now,
      seen_at: now,
      expires_at: new Date(now.getTime() + SESSION_MS),
      ended_at: null,
      user_agent: userAgent,
    })
    .execute()
  return token
}

/** The token has 256 random bits, so a plain hash is enough: nobody can try them all. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
