// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'

export type LedgerTables = {
  /** Balances, in base units. Rolled-up accounts lack what is in ledger_delta. */
  ledger_account: {
    /** Owner × 100000 + kind of account × 100 + asset; owner 0 is the platform, others are members, or loans for accounts of loans. */
    id: bigint
    /** What the account has after its last entry, in base units. Below zero only where it may be: what is owed, or lies outside. */
    balance: bigint
    /** How many entries the account has; of rolled-up ones how many were added up. */
    version: bigint
  }
  /** What the audit found. Withdrawals are paused while one is neither gone nor accepted. */
  ledger_audit_finding: {
    /** In the order of finding. */
    id: GeneratedAlways<bigint>
    /** Which rule does not hold. */
    rule: string
    /** What it does not hold of: an account, a posting or a range. */
    subject: string
    /** What was expected, and what is there. */
    details: string
    /** When it was first found, by our clock. */
    found_at: Date
    /** The round that first found it. */
    found_in: bigint
    /** The last round that found it. */
    seen_in: bigint
    /** When a whole round did not find it any more. */
    gone_at: Date | null
    /** When an operator accepted it; null while nobody did. */
    accepted_at: Date | null
    /** Why an operator has accepted it. */
    note: string | null
  }
  /** Postings that were audited and are sealed by a digest; each range begins after the one before. */
  ledger_audit_range: {
    /** ledger_posting.seq of its last posting. */
    last_posting: bigint
    /** How many postings it has. */
    postings: bigint
    /** How many entries its postings have. */
    entries: bigint
    /** SHA-256 over the digest before and every row of the range: see ledger_digest. */
    digest: string
    /** The round that computed the digest. */
    sealed_in: bigint
    /** The last round that found the digest to be that of the rows. */
    verified_in: bigint
  }
  /** Audits, each going through what is new and through all balances. */
  ledger_audit_round: {
    /** In the order of the rounds. */
    id: GeneratedAlways<bigint>
    /** When it began, by our clock. */
    started_at: Date
    /** Null while it runs, and for ever when it was interrupted. */
    finished_at: Date | null
  }
  /** Sums of the rolled-up accounts over all sealed ranges, in base units. */
  ledger_audit_sum: {
    /** Number of the account, as in ledger_account. */
    account: bigint
    /** Sum of the amounts of its entries. */
    balance: bigint
    /** How many entries were added up. */
    entries: bigint
  }
  /** Balances at any moment, rolled-up accounts included, in base units. */
  ledger_balance: {
    /** Number of the account, as in ledger_account. */
    account: bigint
    /** What the account has, in base units. */
    balance: bigint
    /** How many entries the account has. */
    entries: bigint
  }
  /** The first and the last posting of each day, by the time that postings tell and by that of booking. */
  ledger_day: {
    /** A UTC day, "2026-11-21". */
    day: string
    /** ledger_posting.seq of the first posting that tells a time of the day. */
    first_seq: bigint
    /** ledger_posting.seq of the last one. */
    last_seq: bigint
  }
  /** How far ledger_day goes. One row. */
  ledger_day_mark: {
    /** Always true: there is one row. */
    only_row: Generated<boolean>
    /** As booked_counted, for the version before, which counts no booking times. */
    counted: bigint
    /** How far it can go once all transactions before next_after have ended: none of them can add below it then. */
    next: bigint
    /** Number of a transaction of the database. */
    next_after: bigint
    /** System identifier of the cluster whose transactions next_after counts; null: not known. */
    cluster: bigint | null
    /** Every posting up to this one is counted. */
    booked_counted: bigint
    /** What final_before becomes once all transactions before next_after have ended. */
    next_final: Date | null
    /** Everything that is booked before it can be seen: a period that ends by then changes no more. Null: not known yet. */
    final_before: Date | null
  }
  /** What is not rolled up yet. Amounts in base units. */
  ledger_delta: {
    /** Number of the rolled-up account, as in ledger_account. */
    account: bigint
    /** What the account gained; negative for what it gave. */
    amount: bigint
    /** How many entries the amount is the sum of. */
    entries: bigint
    /** Ours, without a meaning. */
    id: GeneratedAlways<bigint>
  }
  /** Lines of postings. Amounts in base units. */
  ledger_entry: {
    /** ledger_posting.seq of the posting that it is a line of. */
    posting: bigint
    /** Its place in the posting, from 1. */
    line: number
    /** ledger_kind_code() of the posting's kind. */
    kind: number
    /** Number of the account, as in ledger_account. */
    account: bigint
    /** Signed: what the account gained. */
    amount: bigint
    /** After this entry; null for rolled-up accounts. */
    balance: bigint | null
    /** Which entry of the account it is, from 1; null for rolled-up accounts. */
    version: bigint | null
  }
  /** Partitions of ledger_entry: ledger_entry_<number>. The last one has no end, so that there is a place for every posting. */
  ledger_partition: {
    /** From 1, the oldest first. */
    number: number
    /** No posting in it has a lower number. */
    first_posting: bigint
    /** All postings in it have lower numbers. */
    beyond: bigint
  }
  /** The journal. Written by the ledger's SQL functions alone. */
  ledger_posting: {
    /** Order of recording; for one account it is the order of its versions. */
    seq: bigint
    /** Follows from what is posted, so that the same event is posted once. */
    id: string
    /** What happened, in one word: the columns of memo follow from it. */
    kind:
      | 'taken-back'
      | 'deposit'
      | 'unmatched'
      | 'assigned'
      | 'transfer'
      | 'exchange'
      | 'income'
      | 'referral'
      | 'withdrawal-hold'
      | 'withdrawal-release'
      | 'withdrawal-reverted'
      | 'withdrawal'
      | 'fund-in'
      | 'fund-out'
      | 'loan'
      | 'repayment'
      | 'pledge'
      | 'pledge-return'
      | 'lever-open'
      | 'lever-close'
      | 'interest-correction'
      | 'purchase'
      | 'revenue'
      | 'service-fee'
      | 'suspense'
      | 'desk-stock'
      | 'reconciliation'
      | 'interest'
      | 'late-charge'
      | 'interest-waiver'
      | 'liquidation'
      | 'fund-earnings'
      | 'deficit'
      | 'deficit-reserve'
      | 'deficit-fund'
      | 'fund-capital'
    /** What the posting is about, as JSON: numbers, hashes, addresses. */
    memo: unknown
    /** When it happened: of a payment the time of its block, else our clock. */
    occurred_at: Date
    /** When it was recorded, by the database's clock; null before that was kept, where occurred_at counts. */
    booked_at: Generated<Date | null>
  }
}
