import type { Generated, GeneratedAlways } from 'kysely'

/** Members, their sessions, invitation codes, request ids, settings and the operator's audit trail. */
export type MemberTables = {
  member: {
    id: GeneratedAlways<bigint>
    uid: Generated<bigint>
    /** Lower case. */
    address: string
    inviter_id: bigint | null
    invitation_code: string
    ju_uid: bigint | null
    joined_at: Date
  }
  root_invitation: { code: string; note: Generated<string>; created_at: Date; closed_at: Date | null }
  login_key: { single: Generated<boolean>; key: Buffer }
  used_nonce: { nonce: string; expires_at: Date }
  session: {
    /** SHA-256 of the token. */
    token_hash: Buffer
    id: string
    member_id: bigint
    created_at: Date
    seen_at: Date
    expires_at: Date
    ended_at: Date | null
    user_agent: string
  }
  request_log: {
    member_id: bigint
    request_id: string
    endpoint: string
    input_hash: Buffer
    result: unknown
    created_at: Date
  }
  setting: { key: string; value: unknown; updated_at: Date }
  operator_audit: { id: GeneratedAlways<bigint>; operator: string; command: string; input: unknown; at: Date }
}
