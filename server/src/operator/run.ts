import type { Tx } from '../db/open.ts'
import type { Output } from './print.ts'
import type { CommandName, InputOf, TypedOf } from './table/command-table.ts'

/** The part of what was typed that is written down, and signed. Texts and flags. */
export type Input = Readonly<Record<string, unknown>>

/** `now` is the database's time. `operators`: who signed it; nobody when it only reads. */
export type At = { now: Date; operators: readonly string[] }

/** Does a command in the transaction that writes it down. */
export type Work<Given = Input> = (tx: Tx, input: Given, at: At) => Promise<Output>

/** A command's work, with what of its signing depends on the database. */
export type Bound<Given = Input> = {
  work: Work<Given>
  /** For commands of which it is decided whether two sign them. */
  signers?: (tx: Tx, input: Given) => Promise<1 | 2>
  /** Tells that an installation has no operator yet: then the first one signs with the key that this registers. */
  isFirst?: () => Promise<boolean>
  /** Whether the only other operator may do it alone after a time in which anybody can end the proposal. */
  alone?: (tx: Tx) => Promise<boolean>
  /**
   * Follows in transactions of its own when the one that wrote the command down is committed and holds nothing, and says what is
   * printed.
   */
  afterwards?: (input: Given, now: Date) => Promise<Output>
}

/** Signs, does and prints one command. @param proposal which is signed by its number */
export type Run = (name: CommandName, input: Input, bound: Bound, proposal?: bigint) => Promise<void>

/** Work alone; work with its signing; or `act`, which prepares or repeats what is run, and gets what was typed. */
export type Binding<Name extends CommandName> =
  | Work<InputOf<Name>>
  | Bound<InputOf<Name>>
  | { act: (typed: TypedOf<Name>, run: Run) => Promise<void> }

/** Work of some commands. */
export type Bindings<Name extends CommandName> = { readonly [Each in Name]: Binding<Each> }
