import type { AssetCode } from '@candela/protocol/money/assets'
import type { Generated, GeneratedAlways } from 'kysely'

/** What the follower knows of the chain. Amounts in base units; hashes and addresses in lower case. */
export type ChainTables = {
  chain_block: {
    number: bigint
    hash: string
    parent_hash: string
    at: Date
  }
  chain_cursor: {
    only_row: Generated<true>
    chain_id: bigint
    gateway: string
    start_block: bigint
    /** Last block whose events are recorded; confirmations are counted from it. */
    followed: bigint
    followed_hash: string | null
    /** Head of the chain at the last look. */
    head: bigint
    head_seen_at: Date
    halted_reason: string | null
  }
  chain_event: {
    id: GeneratedAlways<bigint>
    tx_hash: string
    log_index: number
    tx_position: number
    block_number: bigint
    block_hash: string
    block_at: Date
    action: 'buyPower' | 'deposit' | 'revenue' | 'repay' | 'native' | 'unknown' | 'paid' | 'transfer'
    reference: string
    asset: AssetCode
    amount: bigint
    payer: string
    customer: string
    confirmations_needed: number
    state: Generated<'recorded' | 'credited'>
    outcome: string | null
    credited_at: Date | null
    orphaned_at: Date | null
    failures: Generated<number>
    last_failure: string | null
    retry_at: Date | null
  }
  price_observation: {
    asset: AssetCode
    block_number: bigint
    /** The block's own time. */
    at: Date
    pair: string
    asset_reserve: bigint
    usdt_reserve: bigint
    cumulative: bigint
  }
}
