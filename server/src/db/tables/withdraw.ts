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
    /** What the contract pays once: 32 bytes in hexadecimal. */
    payout_id: string
    /** Code of the asset: JU, USDT or HASH. */
    asset: AssetCode
    /** What is received. */
    amount: bigint
    /** Who receives it, in lower case. */
    to_address: string
  }
  /** Payments out of recorded blocks that are no withdrawal of ours and that nobody has explained. Amounts in base units. */
  foreign_payout: {
    /** chain_event.id of the payment. */
    id: bigint
    /** What the contract was told to pay: 32 bytes in hexadecimal. */
    payout_id: string
    /** Hash of the transaction that paid. */
    tx_hash: string
    /** Number of the block that has the transaction. */
    block_number: bigint
    /** Code of the asset: JU, USDT or HASH. */
    asset: AssetCode
    /** What was paid, in base units of the asset. */
    amount: bigint
    /** Who received it, in lower case. */
    to_address: string
  }
  /** How much of its share of the cap fresh money has used, by asset, in base units. It comes back evenly within 24 hours. */
  fresh_use: {
    /** Code of the asset: JU, USDT or HASH. */
    asset: 'JU' | 'USDT' | 'HASH'
    /** What was not back yet at that time. */
    used: bigint
    /** When `used` was computed, by our clock. */
    at: Date
  }
  /** Accounts that sign payouts or attestations. */
  payer: {
    /** Address of the account, in lower case. */
    address: string
    /** Nonce of the next transaction that it signs. */
    next_nonce: bigint
    /** When its unpaid withdrawals were ended because its key is lost; it never signs again. */
    revoked_at: Date | null
  }
  /** What the contract pays out at most, by asset, in base units. */
  payout_cap: {
    /** Code of the asset: JU, USDT or HASH. */
    asset: 'JU' | 'USDT' | 'HASH'
    /** At once, and again within 24 hours. */
    cap: bigint
    /** What was left of it in the block of that time. */
    left_of_cap: bigint
    /** The time of the followed block at which the contract was asked. */
    block_at: Date
  }
  /** Which transaction used the nonce of a withdrawal where it is in a block and is none of ours. */
  payout_nonce_use: {
    /** The withdrawal whose nonce was used. */
    withdrawal_id: bigint
    /** Hash of the transaction that used it. */
    tx_hash: string
    /** Number of the block that has the transaction. */
    block_number: bigint
    /** Hash of the block that has the transaction. */
    block_hash: string
    /** When it was found, by our clock. */
    found_at: Date
  }
  /** What the last round of paying out left of each asset, in base units: what is under way is taken off. */
  payout_round: {
    /** Code of the asset: JU, USDT or HASH. */
    asset: 'JU' | 'USDT' | 'HASH'
    /** Why no withdrawal of the asset is signed, in words for the operator; null when those that fit are signed. */
    paused: string | null
    /** What may still be signed within the contract's cap; nothing while a withdrawal that has waited for a day needs it. */
    left_of_cap: bigint
    /** What the contract holds beside what is under way. */
    left_of_held: bigint
    /** When the round was, by our clock. */
    at: Date
    /** What of fresh money may still be signed. */
    left_of_fresh: Generated<bigint>
  }
  /** Signed transactions that pay withdrawals, all of one withdrawal with one nonce. */
  payout_transaction: {
    /** Hash of the transaction. */
    hash: string
    /** The withdrawal that it pays. */
    withdrawal_id: bigint
    /** Address of the account that signed it. */
    payer: string
    /** Nonce of that account. */
    nonce: bigint
    /** The signed transaction, in hexadecimal. */
    raw: string
    /** Native base units per unit of gas. */
    gas_price: bigint
    /** The most gas that it may use. */
    gas: bigint
    /** When it was signed, by our clock. */
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
    /** In the order of asking. */
    id: GeneratedAlways<bigint>
    /** Number that the member sees. */
    withdrawal_no: string
    /** 32 bytes in hexadecimal: the contract pays each once. */
    payout_id: string
    /** Who asked. */
    member_id: bigint
    /** Code of the asset: JU, USDT or HASH. */
    asset: AssetCode
    /** Taken from the balance. */
    amount: bigint
    /** What the platform keeps of the amount, in base units of the asset. */
    fee: bigint
    /** Who receives it: the member's own wallet, in lower case. */
    to_address: string
    /** When it was asked for, in USDT base units. */
    worth_usdt: bigint
    /** As stored: a sent withdrawal whose payment is recorded on chain is shown as confirming. */
    state: WithdrawalState
    /** Why it is in its state, where that is not usual: a code. */
    reason: WithdrawalReason | null
    /** What the operator wrote when it was rejected, or about it; null for nothing. */
    note: string | null
    /** How many operators have to approve it. */
    approvals: Generated<number>
    /** Address of the account that pays it; null before it has a nonce. */
    payer: string | null
    /** Nonce of the payer that it has for good; null before it is signed. */
    nonce: bigint | null
    /** When a queued one that the contract refuses for a reason of its own, or a sent one whose nonce something else has used, is looked at again. */
    try_at: Date | null
    /** Why it waits, in words for the operator. */
    last_failure: string | null
    /** When it was asked for, by our clock. */
    created_at: Date
    /** When its state last changed, by our clock. */
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
  }
  /** Operators who approved a withdrawal. */
  withdrawal_approval: {
    /** The withdrawal. */
    withdrawal_id: bigint
    /** Name of the operator. */
    operator: string
    /** When the operator approved, by the clock of the database. */
    at: Date
    /** The round of review that it counts in. */
    round: Generated<number>
  }
  /** States that a withdrawal went through. */
  withdrawal_step: {
    /** In the order of the steps. */
    id: GeneratedAlways<bigint>
    /** The withdrawal. */
    withdrawal_id: bigint
    /** The state that it came into. */
    state: WithdrawalState
    /** Hash of the transaction that paid it; null for other steps. */
    tx_hash: string | null
    /** When it came into the state, by our clock. */
    at: Date
  }
}
