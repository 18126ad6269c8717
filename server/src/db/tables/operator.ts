// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'

export type OperatorTables = {
  /** One row: this installation. Part of what operators sign, so that a signature for another one is worth nothing here. */
  installation: {
    only_row: Generated<true>
    id: Generated<string>
    /** Of a development chain: operators' acts have the time that npm start moves. The servers' account cannot change it. */
    clock_moves: Generated<boolean>
  }
  /** Who may give commands that change something. Names and keys are never used a second time, also after removal. */
  operator: {
    name: string
    key: string
    /** Number of the last command that was taken; the next one signs the number after it. */
    signed: Generated<bigint>
    added_at: Date
    removed_at: Date | null
  }
  /** Each operator command, with the signature of its operator unless it only reads. Append-only. */
  operator_audit: {
    id: GeneratedAlways<bigint>
    /** Who signed it; null for a command that only reads. A name that was stated, not proved, where outcome is null. */
    operator: string | null
    command: string
    input: unknown
    at: Date
    /** Which of this operator's commands it is, counted from 1 without a gap. Part of what is signed. */
    number: bigint | null
    /** Installation, chain and contract that the signature is for. */
    service: string | null
    /** The operator's public key when it signed. */
    key: string | null
    signature: string | null
    /** Null in rows from before commands were signed. */
    outcome: 'read' | 'proposed' | 'done' | null
    proposal: bigint | null
  }
  /** Commands that one operator signed and that another one has to sign before they are done. */
  operator_proposal: {
    id: GeneratedAlways<bigint>
    command: string
    input: unknown
    proposed_by: string
    proposed_at: Date
    expires_at: Date
    ended_at: Date | null
    /** done: a second operator signed it; withdrawn: an operator ended it; expired: nobody signed it in time. */
    ended: 'done' | 'withdrawn' | 'expired' | null
  }
}
