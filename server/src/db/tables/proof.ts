// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated } from 'kysely'

export type ProofTables = {
  /** Which transaction of the attester attests a snapshot. */
  attestation: {
    /** The UTC day of the snapshot. */
    day: string
    /** The account that signs it: the contract's attester. */
    payer: string
    /** Nonce of the payer. */
    nonce: bigint
    /** attested: the contract says so at a final block. failed: the nonce was used and it does not. */
    state: 'signed' | 'attested' | 'failed'
    /** The time of the block that it is in. */
    attested_at: Date | null
  }
  /** Days that an operator wants attested before the time. */
  attestation_request: {
    /** The UTC day of the snapshot. */
    day: string
    /** When the operator asked. */
    at: Date
  }
  /** Signed transactions that attest, all of one day with one nonce. */
  attestation_transaction: {
    /** Hash of the transaction. */
    hash: string
    /** The UTC day of the snapshot that it attests. */
    day: string
    /** The signed transaction, in hexadecimal. */
    raw: string
    /** Native base units per unit of gas. */
    gas_price: bigint
    /** When it was signed, by our clock. */
    signed_at: Date
    /** When it was last offered to a node. */
    tried_at: Date | null
    /** Why a node did not take it. */
    last_failure: string | null
  }
  /** The last attestation that the contract names. */
  contract_attestation: {
    /** Always true: there is one row. */
    only_row: Generated<boolean>
    /** Root that the contract names, in hexadecimal. */
    root: string
    /** The UTC day that the contract names. */
    day: string
    /** True when this service has signed no such attestation: somebody else has the key of the attester. */
    is_foreign: boolean
    /** When the contract was first seen to name it. */
    seen_at: Date
  }
  /** One row while the contract is in exit mode at the last followed block; else none. */
  contract_exit: {
    /** Always true: there is one row at most. */
    only_row: Generated<true>
    /** The contract's own time of it. */
    exited_at: Date
    /** When the contract was first seen to be in it, by our clock. */
    seen_at: Date
  }
  /** What the owner of the contract has announced, at the last followed block. */
  contract_notice: {
    /** What it is and from when on it can be done, for operators. */
    words: string
    /** When it was first seen, by our clock. */
    seen_at: Date
  }
  /** One row, made with the first snapshot: what members' secrets are derived from. */
  proof_key: {
    /** Always true: there is one row. */
    single: Generated<boolean>
    /** Random. Never changed: every proof that a member has saved depends on it. */
    key: Buffer
  }
  /** What a snapshot counted of a member besides its balances and fund shares. Amounts in base units. */
  proof_part: {
    /** The UTC day of the snapshot. */
    day: string
    /** The member. */
    member_id: bigint
    /** USDT that all loans of the member owed. */
    debt: bigint
    /** JU that secures loans of the member. */
    collateral_ju: bigint
    /** HASH that secures loans of the member. */
    collateral_hash: bigint
    /** What the contract paid to the member in blocks after that of the snapshot. */
    paid_usdt: bigint
    /** The same of HASH. */
    paid_hash: bigint
    /** The same of JU. */
    paid_ju: bigint
  }
  /** The nodes of a snapshot's tree. */
  proof_piece: {
    /** The UTC day of the snapshot. */
    day: string
    /** 0 has the leaves; the tops of its pieces are the first nodes of tier 1, and so on. */
    tier: number
    /** Its place among the pieces of the tier. */
    part: number
    /** The least of `keys`; null above tier 0. */
    first_key: Buffer | null
    /** Of tier 0: what its leaves are ordered by, 16 bytes each. */
    keys: Buffer | null
    /** Its lowest nodes, 80 bytes each. */
    nodes: Buffer
  }
  /** What was owed to members at one sequence of the ledger, one a day. Amounts in base units. */
  proof_snapshot: {
    /** The UTC day that it was taken on. */
    day: string
    /** ledger_posting.seq of the last posting that is in it. */
    sequence: bigint
    /** Payments of the contract up to this block are in it. */
    block_number: bigint
    /** When it was taken, by our clock. */
    taken_at: Date
    /** The contract that its leaves are for. */
    gateway: string
    /** Random: the salts of its leaves are derived from it. Null where they are derived from members' secrets. */
    seed: Buffer | null
    /** Its tree has 2^depth leaves. */
    depth: number
    /** Root of its tree, in hexadecimal. */
    root: string
    /** USDT owed to all members together: the sum in the root. */
    owed_usdt: bigint
    /** The same of HASH. */
    owed_hash: bigint
    /** The same of JU. */
    owed_ju: bigint
    /** What the contract held at that block. */
    held_usdt: bigint
    /** The same of HASH. */
    held_hash: bigint
    /** The same of JU. */
    held_ju: bigint
    /** USDT of the money fund, by which its shares were counted. */
    fund_assets: bigint
    /** Shares of the money fund that all members had, in base units. */
    fund_shares: bigint
    /** USDT for a whole JU, by which debts were taken from collateral; null where nobody knew it. */
    price_ju: bigint | null
    /** The same of HASH. */
    price_hash: bigint | null
    /** How many members the platform's leaf has something of; null where every member has a leaf of its own. */
    small_members: bigint | null
    /** What the fund's shares were parts of; null where they counted at their worth, in USDT. */
    pool_usdt: bigint | null
    /** HASH that debts took of borrowers' collateral; null where shares counted at their worth. */
    pool_hash: bigint | null
    /** JU that debts took of borrowers' collateral; null where shares counted at their worth. */
    pool_ju: bigint | null
    /** Shares of the fund without those that debts took. */
    pool_shares: bigint | null
  }
}
