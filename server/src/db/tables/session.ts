// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated } from 'kysely'

export type SessionTables = {
  /** One row: the key that login messages are proved with. */
  login_key: {
    /** Always true: there is one row. */
    single: Generated<boolean>
    /** Random secret. */
    key: Buffer
  }
  /** Devices that are or were signed in. */
  session: {
    /** SHA-256 of the token. */
    token_hash: Buffer
    /** Names the session to its member, who can end it by this. */
    id: string
    /** Who signed in. */
    member_id: bigint
    /** When it was signed in. */
    created_at: Date
    /** When it last made a call; written every few minutes at most. */
    seen_at: Date
    /** Until when its token is taken. */
    expires_at: Date
    /** When it was signed out; null while it was not. */
    ended_at: Date | null
    /** What the browser called itself when it signed in. */
    user_agent: Generated<string>
  }
  /** Nonces that signed somebody in, until their message would have expired. */
  used_nonce: {
    /** Random text of the login message that was signed. */
    nonce: string
    /** Until when the message could be used again. */
    expires_at: Date
  }
}
