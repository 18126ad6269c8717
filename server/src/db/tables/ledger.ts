// Generated from the migrated schema by `npm run tables`; its comments are those of the database.

export type LedgerTables = {
  /** Balances, in base units. Rolled-up accounts lack what is in ledger_delta. */
  ledger_account: {
    id: bigint
    balance: bigint
    version: bigint
  }
  /** Balances at any moment, rolled-up accounts included, in base units. */
  ledger_balance: {
    account: bigint
    balance: bigint
    entries: bigint
  }
  /** What is not rolled up yet. Amounts in base units. */
  ledger_delta: {
    account: bigint
    amount: bigint
    entries: bigint
  }
  /** Lines of postings. Amounts in base units. */
  ledger_entry: {
    posting: bigint
    line: number
    account: bigint
    /** Signed: what the account gained. */
    amount: bigint
    /** After this entry; null for rolled-up accounts. */
    balance: bigint | null
    version: bigint | null
  }
  /** The journal. Written by the ledger's SQL functions alone. */
  ledger_posting: {
    /** Order of recording; for one account it is the order of its versions. */
    seq: bigint
    id: string
    kind: string
    memo: unknown
    occurred_at: Date
  }
}
