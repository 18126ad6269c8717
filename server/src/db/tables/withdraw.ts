// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { AssetCode } from '@candela/protocol/money/assets'
import type { Generated, GeneratedAlways } from 'kysely'

export type WithdrawalState = 'review' | 'queued' | 'sending' | 'done' | 'rejected' | 'failed'

export type WithdrawalReason =
  | 'overLimit'
  | 'flagged'
  | 'pricePaused'
  | 'operator'
  | 'dailyCap'
  | 'paused'
  | 'recipient'
  | 'reverted'
  | 'reverts'
  | 'unclear'
  | 'unpaid'

export type WithdrawTables = {
  /** Payouts that are queued or sent, and not final. Amounts in base units. */
  expected_payout: {
    payout_id: string
    asset: AssetCode
    /** What is received. */
    amount: bigint
    to_address: string
  }
  /** Payments out of recorded blocks that are no withdrawal of ours and that nobody has explained. Amounts in base units. */
  foreign_payout: {
    id: bigint
    payout_id: string
    tx_hash: string
    block_number: bigint
    asset: AssetCode
    amount: bigint
    to_address: string
  }
  /** How much of its share of the cap fresh money has used, by asset, in base units. It comes back evenly within 24 hours. */
  fresh_use: {
    asset: 'JU' | 'USDT' | 'HASH'
    /** What was not back yet at that time. */
    used: bigint
    at: Date
  }
  /** Accounts that sign payouts or attestations. */
  payer: {
    address: string
    next_nonce: bigint
    /** When its unpaid withdrawals were ended because its key is lost; it never signs again. */
    revoked_at: Date | null
  }
  /** What the contract pays out at most, by asset, in base units. */
  payout_cap: {
    asset: 'JU' | 'USDT' | 'HASH'
    /** At once, and again within 24 hours. */
    cap: bigint
    /** What was left of it in the block of that time. */
    left_of_cap: bigint
    /** The time of the followed block at which the contract was asked. */
    block_at: Date
  }
  payout_nonce_use: {
    withdrawal_id: bigint
    tx_hash: string
    block_number: bigint
    block_hash: string
    found_at: Date
  }
  /** What the last round of paying out left of each asset, in base units: what is under way is taken off. */
  payout_round: {
    asset: 'JU' | 'USDT' | 'HASH'
    /** Why no withdrawal of the asset is signed, in words for the operator; null when those that fit are signed. */
    paused: string | null
    /** What may still be signed within the contract's cap; nothing while a withdrawal that has waited for a day needs it. */
    left_of_cap: bigint
    /** What the contract holds beside what is under way. */
    left_of_held: bigint
    at: Date
    /** What of fresh money may still be signed. */
    left_of_fresh: Generated<bigint>
  }
  /** Signed transactions that pay withdrawals, all of one withdrawal with one nonce. */
  payout_transaction: {
    hash: string
    withdrawal_id: bigint
    payer: string
    nonce: bigint
    raw: string
    /** Native base units per unit of gas. */
    gas_price: bigint
    gas: bigint
    signed_at: Date
    /** When a node first took it. */
    broadcast_at: Date | null
    /** When it was last offered to a node. */
    tried_at: Date | null
    /** What the node had against it. */
    last_failure: string | null
    /** True for one that pays nothing and uses the nonce of a payout that was given up. */
    is_empty: Generated<boolean>
  }
  /** Withdrawals. Amounts in base units. */
  withdrawal: {
    id: GeneratedAlways<bigint>
    withdrawal_no: string
    /** 32 bytes in hexadecimal: the contract pays each once. */
    payout_id: string
    member_id: bigint
    asset: AssetCode
    /** Taken from the balance. */
    amount: bigint
    fee: bigint
    to_address: string
    /** When it was asked for, in USDT base units. */
    worth_usdt: bigint
    /** As stored: a sent withdrawal whose payment is recorded on chain is shown as confirming. */
    state: WithdrawalState
    reason: WithdrawalReason | null
    note: string | null
    /** How many operators have to approve it. */
    approvals: Generated<number>
    payer: string | null
    nonce: bigint | null
    /** When a queued one that the contract refuses for a reason of its own, or a sent one whose nonce something else has used, is looked at again. */
    try_at: Date | null
    /** Why it waits, in words for the operator. */
    last_failure: string | null
    created_at: Date
    changed_at: Date
    /** What is received: the amount without the fee. */
    payout_amount: GeneratedAlways<bigint>
    /** How often it came back to review; approvals count in their own round. */
    review_round: Generated<number>
    /** How many credited payments of the member had left the chain when operators last approved this withdrawal. */
    seen_orphaned: Generated<number>
    /** How many payments to the member had reverted when operators last approved this withdrawal. */
    seen_reverted: Generated<number>
    /** The part of what is received that its member had not had for 24 hours when it was asked for, in base units. */
    fresh_amount: Generated<bigint>
    /** When two operators decided that an empty transaction is to use the nonce of its payout. */
    given_up_at: Date | null
    /** When its owner took it back. */
    taken_back_at: Date | null
  }
  /** Operators who approved a withdrawal. */
  withdrawal_approval: {
    withdrawal_id: bigint
    operator: string
    at: Date
    /** The round of review that it counts in. */
    round: Generated<number>
  }
  /** States that a withdrawal went through. */
  withdrawal_step: {
    id: GeneratedAlways<bigint>
    withdrawal_id: bigint
    state: WithdrawalState
    tx_hash: string | null
    at: Date
  }
}
