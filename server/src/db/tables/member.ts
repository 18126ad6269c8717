// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'

export type MemberTables = {
  /** Members. */
  member: {
    /** Ours; accounts of the ledger are numbered by it. */
    id: GeneratedAlways<bigint>
    /** The number that the member and others see. */
    uid: Generated<bigint>
    /** Lower case. */
    address: string
    /** The member whose code was used; null below a root code. */
    inviter_id: bigint | null
    /** The code that this member shows to others. */
    invitation_code: string
    /** The member's UID at the exchange, for display only. */
    ju_uid: bigint | null
    /** When the account was made, by our clock. */
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
    /** 1 for a member that joined, -1 for one that left; sums of these once they were added up. */
    change: bigint
    /** Ours, without a meaning. */
    id: GeneratedAlways<bigint>
  }
  /** How many each member has invited directly. */
  member_referrals: {
    /** The member who invited. */
    inviter_id: bigint
    /** How many members have this one as their inviter. */
    referrals: bigint
  }
  /** Invitation codes of the operator; they bring in members without an inviter. */
  root_invitation: {
    /** What is entered to join. */
    code: string
    /** What the code is for, in the operator's words. */
    note: Generated<string>
    /** When the operator made it. */
    created_at: Date
    /** When it stopped to bring in members; null while it does. */
    closed_at: Date | null
  }
}
