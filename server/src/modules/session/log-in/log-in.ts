import { hash } from 'node:crypto'
import { codes } from '@candela/protocol/codes/codes'
import { DAY_MS } from '@candela/protocol/units'
import { sql } from 'kysely'
import { queryRows } from '../../../db/query-rows.ts'
import { z } from 'zod'
import { hashMessage } from 'viem'
import { type Database, transaction } from '../../../db/open.ts'
import { readSettings, settingTable } from '../../../db/settings.ts'
import { must } from '../../../kernel/assert.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { registerMember } from '../../member/register.ts'
import { type IssuedMessage, readLoginMessage } from './login-message.ts'
import type { VerifySignature } from '../../../chain/signature/verify-signature.ts'

/** A session that is not used for this long ends by itself. */
export const SESSION_MS = 7 * DAY_MS

export type Login = {
  address: `0x${string}`
  message: string
  signature: `0x${string}`
  invitationCode: string | undefined
  /** Sign the other devices out when there are too many. */
  replace: boolean
  userAgent: string
  /** IP address of the client. */
  clientAddress: string
  now: Date
}

export type LoginDeps = {
  db: Database
  ids: IdSource
  /** The key that login messages are proved with. */
  loginKey: () => Promise<Buffer>
  verifySignature: VerifySignature
}

/**
 * Exchanges a signed login message for a session token, which only the caller ever sees.
 *
 * The message is used up in the transaction that makes the session, by exactly one login. Whatever is refused before
 * (wrong signature, missing code, too many devices) leaves it usable until it expires: a wrong signature proves nothing
 * about the person who holds the message, and using it up would let anyone who saw it lock them out.
 * @throws AppError 4001 to 4005
 */
export async function logIn(deps: LoginDeps, login: Login): Promise<string> {
  const issued = readIssued(await deps.loginKey(), login)
  // No database connection is held while the chain may be asked.
  if (!(await isSigned(deps, login, issued))) throw new AppError(codes.signatureWrong)
  const attempt = { login, issued, token: deps.ids.token(), sessionId: deps.ids.uuid() }
  const known = await openSession(deps.db, attempt)
  const outcome = known === 'unknown' ? await openFirstSession(deps, attempt) : known
  if (outcome === 'done') return attempt.token
  if (outcome === 'full') throw new AppError(codes.deviceLimit, { limit: (await readSettings(deps.db)).deviceLimit })
  throw new AppError(codes.loginMessageUsed)
}

/**
 * A message without an address shows only whose key signed it. A contract would accept it as every other contract with
 * the same owner would, so contract wallets have to sign a message that names them.
 */
function isSigned(
  deps: LoginDeps,
  { address, message, signature, clientAddress }: Login,
  issued: IssuedMessage,
): Promise<boolean> {
  const signed = { address, digest: hashMessage(message), signature }
  return deps.verifySignature(signed, { clientAddress, by: issued.address === null ? 'key' : 'key or contract' })
}

/** The message must be word for word one that we issued, for this address if for any, and still fresh. */
function readIssued(key: Buffer, { address, message, now }: Login): IssuedMessage {
  const issued = readLoginMessage(key, message)
  if (issued === null || issued.expiresAt <= now) throw new AppError(codes.loginMessageUsed)
  if (issued.address !== null && issued.address !== address) throw new AppError(codes.signatureWrong)
  return issued
}

type Attempt = { login: Login; issued: IssuedMessage; token: string; sessionId: string }
const loginRow = z.object({ outcome: z.enum(['done', 'used', 'unknown', 'full']) })
type Outcome = z.output<typeof loginRow>['outcome']

/** One call of the database for the usual case: see `log_in` in migrations/0120_login.sql, and `log-in-policy.test.ts`. */
async function openSession(db: Database, { login, issued, token, sessionId }: Attempt): Promise<Outcome> {
  const { address, replace, now, userAgent } = login
  const rows = await queryRows(
    db,
    loginRow,
    sql`
    select log_in(${address}, ${issued.nonce}, ${issued.expiresAt}, ${replace}, ${settingTable.deviceLimit.default},
      ${hashToken(token)}, ${sessionId}, ${now}, ${new Date(now.getTime() + SESSION_MS)}, ${userAgent}) as outcome`,
  )
  return must(rows[0], 'log_in answers').outcome
}

function openFirstSession(deps: LoginDeps, attempt: Attempt): Promise<Outcome> {
  return transaction(deps.db, async (tx) => {
    await registerMember(tx, deps.ids, attempt.login)
    return openSession(tx, attempt)
  })
}

/** The token has 256 random bits, so a plain hash is enough: nobody can try them all. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
