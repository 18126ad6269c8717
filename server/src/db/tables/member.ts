// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'

export type MemberTables = {
  /** Members. */
  member: {
    id: GeneratedAlways<bigint>
    uid: Generated<bigint>
    /** Lower case. */
    address: string
    /** The member whose code was used; null below a root code. */
    inviter_id: bigint | null
    /** The code that this member shows to others. */
    invitation_code: string
    /** The member's UID at the exchange, for display only. */
    ju_uid: bigint | null
    joined_at: Date
  }
  /** Invitation codes of the operator; they bring in members without an inviter. */
  root_invitation: {
    code: string
    note: Generated<string>
    created_at: Date
    closed_at: Date | null
  }
}
