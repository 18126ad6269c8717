// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { ActionKey } from '@candela/protocol/chain/action-data'
import type { CollateralAsset } from '@candela/protocol/lending/choices'
import type { AssetCode } from '@candela/protocol/money/assets'
import type { Generated, GeneratedAlways } from 'kysely'

export type ChainEventState = 'recorded' | 'credited'

export type ChainTables = {
  /** Followed blocks near the head of the chain. Hashes in lower case. */
  chain_block: {
    /** Number of the block on chain. */
    number: bigint
    /** Hash of the block, as the node gave it. */
    hash: string
    /** Hash of the block before it. */
    parent_hash: string
    /** The block's own time. */
    at: Date
  }
  /** One row: how far the chain is followed. */
  chain_cursor: {
    /** Always true: there is one row. */
    only_row: Generated<true>
    /** EIP-155 number of the chain. */
    chain_id: bigint
    /** Address of the contract whose logs are recorded. */
    gateway: string
    /** Block in which the contract was deployed; nothing before it is read. */
    start_block: bigint
    /** Last block whose events are recorded; confirmations are counted from it. */
    followed: bigint
    /** Hash of the block `followed`; null before the first one. */
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
    /** When the second operator signed it, by the clock of the database. */
    ruled_at: Date | null
  }
  /** Logs of the gateway. Amounts in base units; hashes and addresses in lower case. Modules read the view chain_payment. */
  chain_event: {
    /** Ours, in the order of recording. */
    id: GeneratedAlways<bigint>
    /** Hash of the transaction that made the log. */
    tx_hash: string
    /** Index in its block, which a reorganisation changes. */
    log_index: number
    /** index among the logs of its kind in its transaction: payments from 0, payouts from 1000000, bare transfers from 2000000 */
    tx_position: number
    /** Number of the block that has the transaction. */
    block_number: bigint
    /** Hash of the block that has the transaction. */
    block_hash: string
    /** The block's own time. */
    block_at: Date
    /** what the log means: an action key, 'unknown', 'paid' (money out; reference is the payout id), or 'transfer' (tokens sent to the contract's address without calling it) */
    action: ActionKey | 'unknown' | 'paid' | 'transfer'
    /** What the payer wrote beside the action: number of an order, announcement or loan, day of revenue; of `paid` the payout id. */
    reference: string
    /** Code of the asset: JU, USDT or HASH. */
    asset: AssetCode
    /** Base units of the asset. */
    amount: bigint
    /** Who called the contract and paid. */
    payer: string
    /** For whom the payer says the payment is; who received a payout. */
    customer: string
    /** Confirmations that this amount needs, its own block being the first. */
    confirmations_needed: number
    /** recorded: the log is known. credited: its postings are in the ledger. */
    state: Generated<ChainEventState>
    /** Where the money ended; null until the event is credited. */
    outcome: string | null
    /** When it was credited, by our clock. */
    credited_at: Date | null
    /** Set while a credited payment is on no known block: a reorganisation removed it after it was credited. */
    orphaned_at: Date | null
    /** How often crediting it has failed in a row. */
    failures: Generated<number>
    /** Why crediting failed the last time; null without a failure. */
    last_failure: string | null
    /** When crediting is tried again after a failure, by our clock. */
    retry_at: Date | null
    /** The UTC day that a deposit of revenue is for; null for what is no such deposit. */
    revenue_day: string | null
    /** How often the same payment was taken back before: part of the ids of its postings. */
    taken_back: Generated<number>
    /** The UTC day with whose sum it is booked; null for what is credited by itself. */
    waits_for: string | null
    /** Hash of the block in which most nodes have the payment; null while they were not asked, or do not agree. */
    agreed_hash: string | null
    /** Recorded by an operator's command: counts only when our nodes have it as well, also where there is one. */
    is_rescanned: Generated<boolean>
  }
  /** Recorded logs of the gateway with what is derived of them. Amounts in base units; hashes and addresses in lower case. */
  chain_payment: {
    /** Ours, in the order of recording. */
    id: bigint
    /** Hash of the transaction that made the log. */
    tx_hash: string
    /** index among the logs of its kind in its transaction: payments from 0, payouts from 1000000, bare transfers from 2000000 */
    tx_position: number
    /** Index in its block, which a reorganisation changes. */
    log_index: number
    /** Number of the block that has the transaction. */
    block_number: bigint
    /** The block's own time. */
    block_at: Date
    /** what the log means: an action key, 'unknown', 'paid' (money out; reference is the payout id), or 'transfer' (tokens sent to the contract's address without calling it) */
    action: ActionKey | 'unknown' | 'paid' | 'transfer'
    /** What the payer wrote beside the action: number of an order, announcement or loan, day of revenue; of `paid` the payout id. */
    reference: string
    /** Code of the asset: JU, USDT or HASH. */
    asset: AssetCode
    /** Base units of the asset. */
    amount: bigint
    /** Who called the contract and paid. */
    payer: string
    /** For whom the payer says the payment is; who received a payout. */
    customer: string
    /** Confirmations that this amount needs, its own block being the first. */
    confirmations_needed: number
    /** recorded: the log is known. credited: its postings are in the ledger. */
    state: ChainEventState
    /** Where the money ended; null until the event is credited. */
    outcome: string | null
    /** From the last followed block, its own block being the first; at most what it needs. */
    confirmations: number
    /** Credited, and on no known block. */
    orphaned: boolean
    /** Could not be settled, and is tried again. */
    failing: boolean
    /** The UTC day that a deposit of revenue is for; null for what is no such deposit. */
    revenue_day: string | null
    /** The UTC day with whose sum it is booked; null for what is credited by itself. */
    waits_for: string | null
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
  /** The events of chain_event that are recorded and not credited. Written by its triggers alone. Modules read the view uncredited_payment. */
  chain_uncredited: {
    /** chain_event.id of the payment. */
    id: bigint
    /** Number of the block that has the transaction. */
    block_number: bigint
    /** Index in its block, which a reorganisation changes. */
    log_index: number
    /** Who called the contract and paid. */
    payer: string
    /** For whom the payer says the payment is; who received a payout. */
    customer: string
    /** The UTC day with whose sum it is booked; null for what is credited by itself. */
    waits_for: string | null
    /** Could not be settled, and is tried again. */
    is_failing: boolean
  }
  /** What each pair showed in quarters of an hour, for a little more than a week. Amounts in base units. */
  pair_quarter: {
    /** Code of the asset that the pair trades for USDT. */
    asset: CollateralAsset
    /** When it began. */
    quarter: Date
    /** Address of the exchange pair. */
    pair: string
    /** The own time of the block of its first observation. */
    at: Date
    /** Cumulative price of its first observation, as in price_observation. */
    cumulative: bigint
    /** USDT that the pair held, weighted by time. */
    usdt: bigint
  }
  /** Spot prices of a quarter of an hour each, in USDT base units per whole unit. A month is kept. */
  price_history: {
    /** Code of the asset whose price it is. */
    asset: CollateralAsset
    /** When it began. */
    quarter: Date
    /** The own time of the block of its last observation. */
    at: Date
    /** Number of the block of its last observation. */
    block_number: bigint
    /** Spot price of its last observation. */
    price: bigint
    /** The lowest price that was observed within the quarter. */
    lowest: bigint
    /** The highest price that was observed within the quarter. */
    highest: bigint
  }
  /** What follows from the observations of a pair up to its last one. Amounts and prices in base units. */
  price_measure: {
    /** Code of the asset that the pair trades for USDT. */
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
    /** Cumulative price of the pair at week_at, as in price_observation. */
    week_cumulative: bigint
  }
  /** What the exchange pairs showed. Reserves in base units. */
  price_observation: {
    /** Code of the asset that the pair trades for USDT. */
    asset: AssetCode
    /** Number of the block at which the pair was read. */
    block_number: bigint
    /** The block's own time. */
    at: Date
    /** Address of the exchange pair. */
    pair: string
    /** What the pair held of the asset, in its base units. */
    asset_reserve: bigint
    /** What the pair held of USDT, in its base units. */
    usdt_reserve: bigint
    /** The pair's cumulative price of the asset in USDT (UQ112x112 × seconds, modulo 2^256), brought forward to `at`. */
    cumulative: bigint
  }
  /** What each price is compared with. Prices in USDT base units per whole unit. */
  price_reference: {
    /** Code of the asset whose price it is. */
    asset: AssetCode
    /** Counts for the part of a day that lies before `since`; while halted, it stands for the whole average of the day. */
    price: bigint
    /** The block's own time. Averages of a day reach no further back. */
    since: Date
    /** When the average of half an hour left that of the day, in the block's own time; null while the price is in use. */
    halted_at: Date | null
  }
  /** What chain_payment has of the payments that are recorded and not credited, found without reading the others. */
  uncredited_payment: {
    /** Ours, in the order of recording. */
    id: bigint
    /** Hash of the transaction that made the log. */
    tx_hash: string
    /** index among the logs of its kind in its transaction: payments from 0, payouts from 1000000, bare transfers from 2000000 */
    tx_position: number
    /** Index in its block, which a reorganisation changes. */
    log_index: number
    /** Number of the block that has the transaction. */
    block_number: bigint
    /** The block's own time. */
    block_at: Date
    /** what the log means: an action key, 'unknown', 'paid' (money out; reference is the payout id), or 'transfer' (tokens sent to the contract's address without calling it) */
    action: ActionKey | 'unknown' | 'paid' | 'transfer'
    /** What the payer wrote beside the action: number of an order, announcement or loan, day of revenue; of `paid` the payout id. */
    reference: string
    /** Code of the asset: JU, USDT or HASH. */
    asset: AssetCode
    /** Base units of the asset. */
    amount: bigint
    /** Who called the contract and paid. */
    payer: string
    /** For whom the payer says the payment is; who received a payout. */
    customer: string
    /** Confirmations that this amount needs, its own block being the first. */
    confirmations_needed: number
    /** From the last followed block, its own block being the first; at most what it needs. */
    confirmations: number
    /** Could not be settled, and is tried again. */
    failing: boolean
    /** The UTC day that a deposit of revenue is for; null for what is no such deposit. */
    revenue_day: string | null
    /** The UTC day with whose sum it is booked; null for what is credited by itself. */
    waits_for: string | null
  }
}
