// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { ActionKey } from '@candela/protocol/chain/action-data'
import type { CollateralAsset } from '@candela/protocol/credit/choices'
import type { AssetCode } from '@candela/protocol/money/assets'
import type { Generated, GeneratedAlways } from 'kysely'

export type ChainEventState = 'recorded' | 'credited'

export type ChainTables = {
  /** Followed blocks near the head of the chain. Hashes in lower case. */
  chain_block: {
    number: bigint
    hash: string
    parent_hash: string
    /** The block's own time. */
    at: Date
  }
  /** One row: how far the chain is followed. */
  chain_cursor: {
    only_row: Generated<true>
    chain_id: bigint
    gateway: string
    start_block: bigint
    /** Last block whose events are recorded; confirmations are counted from it. */
    followed: bigint
    followed_hash: string | null
    /** Head of the chain when it was last read. */
    head: bigint
    /** When a node last answered, by our clock. */
    head_seen_at: Date
    /** Why crediting waits for the operator; null while it does not. */
    halted_reason: string | null
    /** The head's own time; null before the first round. */
    head_at: Date | null
  }
  /** Decisions about money on which the configured nodes contradict each other. */
  chain_dispute: {
    /** What is to be decided, such as a withdrawal and its number. */
    decision: string
    /** What each node answered when it was last asked, as JSON: texts by the names of the nodes. */
    answers: string
    /** When the nodes first contradicted each other about it. */
    since: Date
    /** Host of the node whose answer counts alone, as two operators have signed. */
    ruled_for: string | null
    ruled_at: Date | null
  }
  /** Logs of the gateway. Amounts in base units; hashes and addresses in lower case. Modules read the view chain_payment. */
  chain_event: {
    id: GeneratedAlways<bigint>
    tx_hash: string
    /** Index in its block, which a reorganisation changes. */
    log_index: number
    /** index among the logs of its kind in its transaction: payments from 0, payouts from 1000000, bare transfers from 2000000 */
    tx_position: number
    block_number: bigint
    block_hash: string
    /** The block's own time. */
    block_at: Date
    /** what the log means: an action key, 'unknown', 'paid' (money out; reference is the payout id), or 'transfer' (tokens sent to the contract's address without calling it) */
    action: ActionKey | 'unknown' | 'paid' | 'transfer'
    reference: string
    asset: AssetCode
    amount: bigint
    /** Who called the contract and paid. */
    payer: string
    /** For whom the payer says the payment is; who received a payout. */
    customer: string
    /** Confirmations that this amount needs, its own block being the first. */
    confirmations_needed: number
    state: Generated<ChainEventState>
    /** Where the money ended; null until the event is credited. */
    outcome: string | null
    credited_at: Date | null
    /** Set while a credited payment is on no known block: a reorganisation removed it after it was credited. */
    orphaned_at: Date | null
    failures: Generated<number>
    last_failure: string | null
    retry_at: Date | null
    /** The UTC day that a deposit of revenue is for; null for what is no such deposit. */
    revenue_day: string | null
    /** Hash of the block in which most nodes have the payment; null while they were not asked, or do not agree. */
    agreed_hash: string | null
  }
  /** Recorded logs of the gateway with what is derived of them. Amounts in base units; hashes and addresses in lower case. */
  chain_payment: {
    id: bigint
    tx_hash: string
    tx_position: number
    log_index: number
    block_number: bigint
    /** The block's own time. */
    block_at: Date
    action: ActionKey | 'unknown' | 'paid' | 'transfer'
    reference: string
    asset: AssetCode
    amount: bigint
    payer: string
    customer: string
    confirmations_needed: number
    state: ChainEventState
    outcome: string | null
    /** From the last followed block, its own block being the first; at most what it needs. */
    confirmations: number
    /** Credited, and on no known block. */
    orphaned: boolean
    /** Could not be settled, and is tried again. */
    failing: boolean
    /** The UTC day that a deposit of revenue is for; null for what is no such deposit. */
    revenue_day: string
  }
  /** Pairs of followed blocks, one the child of the other, with a long time between them. */
  chain_standstill: {
    /** The later one, the first new block. */
    block_number: bigint
    /** The time of the block before it. */
    from_at: Date
    /** The time of the first new block. */
    to_at: Date
  }
  /** What each pair showed in quarters of an hour, for a little more than a week. Amounts in base units. */
  pair_quarter: {
    asset: CollateralAsset
    /** When it began. */
    quarter: Date
    pair: string
    /** The own time of the block of its first observation. */
    at: Date
    /** Of its first observation. */
    cumulative: bigint
    /** USDT that the pair held, weighted by time. */
    usdt: bigint
  }
  /** Spot prices of a quarter of an hour each, in USDT base units per whole unit. A month is kept. */
  price_history: {
    asset: CollateralAsset
    /** When it began. */
    quarter: Date
    /** The own time of the block of its last observation. */
    at: Date
    block_number: bigint
    /** Of its last observation. */
    price: bigint
    lowest: bigint
    highest: bigint
  }
  /** What follows from the observations of a pair up to its last one. Amounts and prices in base units. */
  price_measure: {
    asset: CollateralAsset
    /** The price that the pair had above it for half of the last five minutes, and below it for half. Null until the first observation by this version. */
    median_5: bigint | null
    /** The pair held at least as much USDT in nine tenths of the quarters of an hour of the last day. */
    day_usdt: bigint
    /** The same of the last week. */
    week_usdt: bigint
    /** The first observation of the pair, as far as it is kept. */
    since: Date
    /** Where the average of a week begins. */
    week_at: Date
    week_cumulative: bigint
  }
  /** What the exchange pairs showed. Reserves in base units. */
  price_observation: {
    asset: AssetCode
    block_number: bigint
    /** The block's own time. */
    at: Date
    pair: string
    asset_reserve: bigint
    usdt_reserve: bigint
    /** The pair's cumulative price of the asset in USDT (UQ112x112 × seconds, modulo 2^256), brought forward to `at`. */
    cumulative: bigint
  }
  /** What each price is compared with. Prices in USDT base units per whole unit. */
  price_reference: {
    asset: AssetCode
    /** Counts for the part of a day that lies before `since`; while halted, it stands for the whole average of the day. */
    price: bigint
    /** The block's own time. Averages of a day reach no further back. */
    since: Date
    /** When the average of half an hour left that of the day, in the block's own time; null while the price is in use. */
    halted_at: Date | null
  }
}
