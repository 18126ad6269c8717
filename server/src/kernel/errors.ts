import { codes, type ErrorCode, type MessageParams } from '@candela/protocol/codes/codes'
import type { FieldName } from '@candela/protocol/texts/types'
import type { InputProblem } from '@candela/protocol/codes/problems'

/**
 * An outcome that the caller is told about: a product code and the values for its message.
 * The text shown to people is made from the code in their language; `message` here is for the log only.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly params: MessageParams

  constructor(code: ErrorCode, params: MessageParams = {}, options?: ErrorOptions) {
    const details = Object.entries(params).map(([key, value]) => `${key}=${value}`)
    super([`code ${code}`, ...details].join(' '), options)
    this.code = code
    this.params = params
  }
}

/** Input that does not pass: code 400, naming the field and, where it helps, the reason, both in words for people. */
export function invalidInput(field: FieldName, reason?: InputProblem): AppError {
  return new AppError(codes.invalidInput, reason === undefined ? { field } : { field, reason })
}

/** Tells whether an unknown failure is an `AppError`, optionally with one exact code. */
export function isAppError(error: unknown, code?: number): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code)
}

/** Something that the operator asked for and cannot be done. Its message is one line for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** The reason of a failure, as one line, for a message about an unknown failure. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
