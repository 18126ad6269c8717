import type { AssetCode } from '@candela/protocol/money/assets'
import type { Generated, GeneratedAlways } from 'kysely'

/** As stored: `confirming` follows from the chain's events. */
export type StoredState = 'review' | 'queued' | 'sending' | 'done' | 'rejected' | 'failed'

/** Withdrawals, the transactions that pay them, and the comparisons with the chain. Amounts in base units. */
export type WithdrawalTables = {
  payer: { address: string; next_nonce: bigint }
  withdrawal: {
    id: GeneratedAlways<bigint>
    withdrawal_no: string
    /** 32 bytes in hexadecimal: the contract pays each once. */
    payout_id: string
    member_id: bigint
    asset: AssetCode
    amount: bigint
    fee: bigint
    to_address: string
    worth_usdt: bigint
    state: StoredState
    reason: 'overLimit' | 'flagged' | 'operator' | 'dailyCap' | 'paused' | 'recipient' | 'reverted' | null
    note: string | null
    /** How many operators have to approve it. */
    approvals: Generated<number>
    payer: string | null
    nonce: bigint | null
    try_at: Date | null
    trouble: string | null
    created_at: Date
    changed_at: Date
  }
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
    broadcast_at: Date | null
    tried_at: Date | null
    trouble: string | null
  }
  withdrawal_step: {
    id: GeneratedAlways<bigint>
    withdrawal_id: bigint
    state: StoredState
    tx_hash: string | null
    at: Date
  }
  withdrawal_approval: { withdrawal_id: bigint; operator: string; at: Date }
  reconciliation: {
    id: GeneratedAlways<bigint>
    block_number: bigint
    block_hash: string
    at: Date
    paused: boolean
    finding: string | null
  }
  reconciliation_line: { reconciliation_id: bigint; asset: AssetCode; expected: bigint; found: bigint }
}
