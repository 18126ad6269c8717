import { invalidInput } from '../kernel/errors.ts'

/** How the value of one sort column stands in a cursor, and what it is read as. Each pattern fits its SQL type. */
const parts = {
  /** A positive bigint. */
  id: { pattern: '[1-9][0-9]{0,17}', read: (text: string): bigint => BigInt(text) },
  /** A whole number that fits an SQL integer. */
  count: { pattern: '[0-9]{1,9}', read: (text: string): number => Number(text) },
  /** A time in milliseconds. */
  time: { pattern: '[0-9]{1,15}', read: (text: string): Date => new Date(Number(text)) },
  /** A transaction hash. */
  hash: { pattern: '0x[0-9a-f]{64}', read: (text: string): string => text },
  flag: { pattern: '[01]', read: (text: string): boolean => text === '1' },
} as const

type Part = keyof typeof parts
type Values<P extends readonly Part[]> = { -readonly [I in keyof P]: ReturnType<(typeof parts)[P[I]]['read']> }

export type CursorCodec<V> = {
  format(values: V): string
  /** Undefined for the first page. @throws AppError 400 for a cursor that this list did not make */
  parse(cursor: string | undefined): V | undefined
}

/** The cursor of a list: the values that its last row is sorted by, joined by hyphens. Opaque to callers. */
export function cursorCodec<const P extends readonly Part[]>(...sorts: P): CursorCodec<Values<P>> {
  const pattern = new RegExp(`^${sorts.map((sort) => `(${parts[sort].pattern})`).join('-')}$`)
  return {
    format: (values) => (values as readonly (bigint | number | Date | boolean | string)[]).map(formatPart).join('-'),
    parse(cursor) {
      if (cursor === undefined) return undefined
      const match = pattern.exec(cursor)
      if (match === null) throw invalidInput('cursor')
      return sorts.map((sort, place) => parts[sort].read(match[place + 1] ?? '')) as Values<P>
    },
  }
}

function formatPart(value: bigint | number | Date | boolean | string): string {
  if (value instanceof Date) return String(value.getTime())
  return typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
}
