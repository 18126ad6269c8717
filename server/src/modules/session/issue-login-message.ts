import type { Database } from '../../db/open.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { LOGIN_MESSAGE_MS, loginMessageText, type SignInSite } from './login-message.ts'

/** Writes down a message with a fresh nonce of 128 random bits and returns its text. */
export async function issueLoginMessage(
  db: Database,
  { site, ids }: { site: SignInSite; ids: IdSource },
  request: { address: `0x${string}` | undefined; now: Date },
): Promise<string> {
  // EIP-4361 allows letters and digits only, so the token's bytes are written in hexadecimal.
  const nonce = Buffer.from(ids.token(), 'base64url').toString('hex').slice(0, 32)
  const issuedAt = request.now
  const expiresAt = new Date(issuedAt.getTime() + LOGIN_MESSAGE_MS)
  const message = loginMessageText(site, { address: request.address, nonce, issuedAt, expiresAt })
  await db
    .insertInto('login_message')
    .values({
      nonce,
      address: request.address ?? null,
      message,
      issued_at: issuedAt,
      expires_at: expiresAt,
      used_at: null,
    })
    .execute()
  return message
}
