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
    /** The member's UID at the exchange as the member says it, for display only. Several may say the same. */
    ju_uid: bigint | null
    joined_at: Date
    /** Millionths of what opens the own code: of 1 USDT, of 2 HASH or of 0.2 JU. Not counted further. */
    paid_in: Generated<bigint>
    /** Since when the own code brings in members; null before enough was paid in. */
    code_open_at: Date | null
    /** When an operator closed the own code. */
    code_closed_at: Date | null
    /** When the account goes unless its own code has opened; null for one that stays. */
    leaves_at: Date | null
  }
  /** Changes of the number of members; their sum is the number. */
  member_count: {
    change: bigint
    id: GeneratedAlways<bigint>
  }
  /** How many each member has invited directly. */
  member_referrals: {
    inviter_id: bigint
    referrals: bigint
  }
  /** Invitation codes of the operator; they bring in members without an inviter. */
  root_invitation: {
    code: string
    note: Generated<string>
    created_at: Date
    closed_at: Date | null
  }
}
