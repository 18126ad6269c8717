/** Written by `ledger/` alone, through its SQL functions: kysely only reads these. */
export type LedgerTables = {
  ledger_posting: {
    /** Order of recording; for one account it is the order of its versions. */
    seq: bigint
    id: string
    kind: string
    memo: unknown
    occurred_at: Date
  }
  ledger_entry: {
    posting: bigint
    line: number
    account: bigint
    /** Base units, signed: what the account gained. */
    amount: bigint
    /** After this entry; null for rolled-up accounts. */
    balance: bigint | null
    version: bigint | null
  }
  ledger_account: { id: bigint; balance: bigint; version: bigint }
  ledger_delta: { account: bigint; amount: bigint; entries: bigint }
  /** View: exact at any moment, rolled-up accounts included. */
  ledger_balance: { account: bigint; balance: bigint; entries: bigint }
}
