import { invalidInput } from '../kernel/errors.ts'

/** Which rows of a list that is ordered by id, newest first, to read. */
export type PageQuery = {
  /** Only rows with a smaller id; undefined for the first page. */
  before: bigint | undefined
  /** How many the caller gets. Read one more: it tells whether there is another page. */
  limit: number
}

/** Reads `cursor` and `limit` of an endpoint's input. @throws AppError 400 for a cursor that we did not make */
export function pageQuery(input: { cursor?: string | undefined; limit: number }): PageQuery {
  const { cursor, limit } = input
  if (cursor !== undefined && !/^[1-9][0-9]{0,17}$/.test(cursor)) throw invalidInput('cursor')
  return { before: cursor === undefined ? undefined : BigInt(cursor), limit }
}

/** Cuts off the row that was read too many and makes the cursor of the next page from the last one shown. */
export function toPage<R extends { id: bigint }, T>(
  rows: readonly R[],
  limit: number,
  toItem: (row: R) => T,
): { items: T[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(toItem),
    nextCursor: rows.length > limit && last !== undefined ? String(last.id) : null,
  }
}
