import { type CursorCodec, cursorCodec } from './cursor.ts'

/** The input of every list. */
export type PageInput = { cursor?: string | undefined; limit: number }

/** The rows of a list to read, and how many the caller gets. Read one more: it tells whether there is another page. */
export type PageQuery<V = bigint> = {
  /** Only rows behind this place; undefined for the first page. */
  before: V | undefined
  limit: number
}

export type Page<T> = { items: T[]; nextCursor: string | null }

/** Reads `cursor` and `limit` of an endpoint's input. @throws AppError 400 for a cursor that is not ours */
export const readPage = <V>(codec: CursorCodec<V>, { cursor, limit }: PageInput): PageQuery<V> => ({
  before: codec.parse(cursor),
  limit,
})

/** Cuts off the row that was read too many and makes the cursor of the next page from the last one shown. */
export function makePage<R, V, T>(
  codec: CursorCodec<V>,
  rows: readonly R[],
  limit: number,
  { place, toItem }: { place: (row: R) => V; toItem: (row: R) => T },
): Page<T> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(toItem),
    nextCursor: rows.length > limit && last !== undefined ? codec.format(place(last)) : null,
  }
}

const byId = cursorCodec('id')

/** The same for a list that is ordered by its id, newest first. */
export function pageQuery(input: PageInput): PageQuery {
  const { before, limit } = readPage(byId, input)
  return { before: before?.[0], limit }
}

export const toPage = <R extends { id: bigint }, T>(
  rows: readonly R[],
  limit: number,
  toItem: (row: R) => T,
): Page<T> => makePage(byId, rows, limit, { place: ({ id }) => [id], toItem })
