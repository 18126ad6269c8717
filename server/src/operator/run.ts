import type { Tx } from '../db/open.ts'
import type { Output } from './print.ts'

/** What is written down, and signed, of what was typed. Texts and flags. */
export type Input = Readonly<Record<string, unknown>>

/** `operators`: who signed it; nobody when it only reads. */
export type Work = (tx: Tx, now: Date, operators: readonly string[]) => Promise<Output>

/** Says of a command how many operators sign it before it is done. */
export type CommandRule = {
  /** Its own words, such as "plan close". */
  command: string
  /**
   * 0: it only reads. 1: it is done at once. 2: the first operator proposes it; it is done when another one gives the
   * same command. Or what decides between 1 and 2 by what is in the database.
   */
  signers: 0 | 1 | 2 | ((tx: Tx) => Promise<1 | 2>)
  /** The first operator of an installation, who signs with the key that this command registers. */
  first?: { name: string; key: string }
  /** Whether the only other operator may do it alone after a time in which anybody can end the proposal. */
  alone?: (tx: Tx) => Promise<boolean>
}

/**
 * Does one command: its words, input and signature are written down in the transaction that does the work. What takes
 * transactions of its own follows as `afterwards`, when that one is committed and holds nothing, and says what is printed.
 */
export type Run = (rule: CommandRule, input: Input, work: Work, afterwards?: () => Promise<Output>) => Promise<void>
