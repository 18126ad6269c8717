// Generated from the migrated schema by `npm run tables`; its comments are those of the database.
import type { Generated, GeneratedAlways } from 'kysely'

export type OperatorTables = {
  /** One row: this installation. Part of what operators sign, so that a signature for another one is worth nothing here. */
  installation: {
    /** Always true: there is one row. */
    only_row: Generated<true>
    /** Random: names this installation. */
    id: Generated<string>
    /** Of a development chain: operators' acts have the time that npm start moves. The servers' account cannot change it. */
    clock_moves: Generated<boolean>
  }
  /** Who may give commands that change something. Names and keys are never used a second time, also after removal. */
  operator: {
    /** Name that the operator is called by. */
    name: string
    /** Public key (Ed25519) that the operator signs with. */
    key: string
    /** Number of the last command that was taken; the next one signs the number after it. */
    signed: Generated<bigint>
    /** When two operators, or the first setup, added it. */
    added_at: Date
    /** When it was removed; null for one that may sign. */
    removed_at: Date | null
  }
  /** Each operator command, with the signature of its operator unless it only reads. Append-only. */
  operator_audit: {
    /** In the order in which commands came. */
    id: GeneratedAlways<bigint>
    /** Who signed it; null for a command that only reads. A name that was stated, not proved, where outcome is null. */
    operator: string | null
    /** Name of the command. */
    command: string
    /** Arguments of the command, as they were signed. */
    input: unknown
    /** When it was done, by the clock of the database. */
    at: Date
    /** Which of this operator's commands it is, counted from 1 without a gap. Part of what is signed. */
    number: bigint | null
    /** Installation, chain and contract that the signature is for. */
    service: string | null
    /** The operator's public key when it signed. */
    key: string | null
    /** Signature of the operator over command, input, number and service. */
    signature: string | null
    /** Null in rows from before commands were signed. */
    outcome: 'read' | 'proposed' | 'done' | null
    /** The proposal that it made, signed or ended; null for none. */
    proposal: bigint | null
  }
  /** Commands that one operator signed and that another one has to sign before they are done. */
  operator_proposal: {
    /** In the order in which they were proposed. */
    id: GeneratedAlways<bigint>
    /** Name of the proposed command. */
    command: string
    /** Arguments of the proposed command. */
    input: unknown
    /** Name of the operator who signed it first. */
    proposed_by: string
    /** When it was proposed, by the clock of the database. */
    proposed_at: Date
    /** Until when a second operator can sign it. */
    expires_at: Date
    /** When it ended; null while it is open. */
    ended_at: Date | null
    /** done: a second operator signed it; withdrawn: an operator ended it; expired: nobody signed it in time. */
    ended: 'done' | 'withdrawn' | 'expired' | null
  }
}
