// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'

export type LedgerTables = {
  /** Balances, in base units. Rolled-up accounts lack what is in ledger_delta. */
  ledger_account: {
    id: bigint
    balance: bigint
    version: bigint
  }
  /** What the audit found. Withdrawals are paused while one is neither gone nor accepted. */
  ledger_audit_finding: {
    id: GeneratedAlways<bigint>
    rule: string
    subject: string
    details: string
    found_at: Date
    found_in: bigint
    seen_in: bigint
    /** When a whole round did not find it any more. */
    gone_at: Date | null
    accepted_at: Date | null
    /** Why an operator has accepted it. */
    note: string | null
  }
  /** Postings that were audited and are sealed by a digest; each range begins after the one before. */
  ledger_audit_range: {
    last_posting: bigint
    postings: bigint
    entries: bigint
    /** SHA-256 over the digest before and every row of the range: see ledger_digest. */
    digest: string
    sealed_in: bigint
    /** The last round that found the digest to be that of the rows. */
    verified_in: bigint
  }
  /** Audits, each going through what is new and through all balances. */
  ledger_audit_round: {
    id: GeneratedAlways<bigint>
    started_at: Date
    /** Null while it runs, and for ever when it was interrupted. */
    finished_at: Date | null
  }
  /** Sums of the rolled-up accounts over all sealed ranges, in base units. */
  ledger_audit_sum: {
    account: bigint
    balance: bigint
    entries: bigint
  }
  /** Balances at any moment, rolled-up accounts included, in base units. */
  ledger_balance: {
    account: bigint
    balance: bigint
    entries: bigint
  }
  /** The first and the last posting of each day, by the time that postings tell. */
  ledger_day: {
    /** A UTC day, "2026-11-21". */
    day: string
    first_seq: bigint
    last_seq: bigint
  }
  /** How far ledger_day goes. One row. */
  ledger_day_mark: {
    only_row: Generated<boolean>
    /** Every posting up to this one is counted. */
    counted: bigint
    /** How far it can go once all transactions before next_after have ended: none of them can add below it then. */
    next: bigint
    next_after: bigint
    /** System identifier of the cluster whose transactions next_after counts; null: not known. */
    cluster: bigint | null
  }
  /** What is not rolled up yet. Amounts in base units. */
  ledger_delta: {
    account: bigint
    amount: bigint
    entries: bigint
    id: GeneratedAlways<bigint>
  }
  /** Lines of postings. Amounts in base units. */
  ledger_entry: {
    posting: bigint
    line: number
    /** ledger_kind_code() of the posting's kind. */
    kind: number
    account: bigint
    /** Signed: what the account gained. */
    amount: bigint
    /** After this entry; null for rolled-up accounts. */
    balance: bigint | null
    version: bigint | null
  }
  /** Partitions of ledger_entry: ledger_entry_<number>. The last one has no end, so that there is a place for every posting. */
  ledger_partition: {
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
    id: string
    kind:
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
    memo: unknown
    occurred_at: Date
  }
}
