/**
 * Throws when something that must hold does not. It is for our own mistakes, stays on in production, and is never the
 * answer to bad input (that is `AppError`).
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message)
}

/** Returns the value, or throws when it is null or undefined: for look-ups that cannot miss. */
export function must<T>(value: T | null | undefined, message: string): T {
  if (value === null || value === undefined) throw new AssertionFailed(message)
  return value
}

/** A broken invariant: the operation's transaction is rolled back and the operator reads why in the log. */
export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed'
}
