import type { ErrorName } from '../codes/codes.ts'
import type { InputProblem } from '../codes/problems.ts'
import type { Endpoints, Key } from '../endpoints.ts'
import type { LoanEntryKind } from '../endpoints/lending.ts'
import type { MemberPostingKind } from '../posting-kinds.ts'

type InputField<K extends Key> = keyof Endpoints[K]['input']['shape'] & string
/** Every input field. Without its label in each language nothing compiles. */
export type FieldName = { [K in Key]: InputField<K> }[Key]
type PlacedField = { [K in Key]: `${K} ${InputField<K>}` }[Key]

/** Texts of the API in one language. */
export type ApiTexts = {
  /**
   * The text of each code. The server sends it; the app shows it itself when an answer has no message. `{name}` is filled from the
   * error's parameters; a part in square brackets is left out when one of its values is missing.
   */
  codes: Readonly<Record<ErrorName | 'ok', string>>
  /** Labels of the fields that a refusal (code 400) names. */
  fields: Readonly<Record<FieldName, string>>
  /** Labels of fields that mean something else at one endpoint than at the others. */
  placedFields: Readonly<Partial<Record<PlacedField, string>>>
  /** Problems of an input. */
  problems: Readonly<Record<InputProblem, string>>
  /** The name of each kind of posting in a statement. */
  postings: Readonly<Record<MemberPostingKind, string>>
  /** The two accounts of an asset. */
  accounts: Readonly<Record<'available' | 'held', string>>
  /** Names of the columns of a statement as a file. */
  csvHeadings: readonly string[]
  /** Begins the row with the sum of an asset. */
  csvSum: string
  /** The name of a line that is the fee of a withdrawal. */
  withdrawalFee: string
  /** The name of a line of a loan, and of the part that it changes. */
  loanEntries: Readonly<Record<LoanEntryKind, string>>
  loanParts: Readonly<Record<'principal' | 'interest' | 'charges' | 'collateral', string>>
}
