// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated } from 'kysely'

export type SessionTables = {
  /** One row: the key that login messages are proved with. */
  login_key: {
    single: Generated<boolean>
    key: Buffer
  }
  /** Devices that are or were signed in. */
  session: {
    /** SHA-256 of the token. */
    token_hash: Buffer
    id: string
    member_id: bigint
    created_at: Date
    seen_at: Date
    expires_at: Date
    /** When it was signed out; null while it was not. */
    ended_at: Date | null
    user_agent: Generated<string>
  }
  /** Nonces that signed somebody in, until their message would have expired. */
  used_nonce: {
    nonce: string
    expires_at: Date
  }
}
