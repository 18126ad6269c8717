import { hash } from 'node:crypto'

/** What identifies a money command: who, the client's own id, which endpoint, and everything it was asked to do. */
export type IdempotentCall = {
  memberId: bigint
  requestId: string
  endpoint: string
  /** Parsed input; bigints and dates are fine. The request id may be part of it. */
  input: unknown
  now: Date
}

/**
 * What is stored of a call for ever, each in 128 bits: `request` finds it, `input` tells whether a repetition asks for
 * the same. A caller who finds two inputs with the same key only gets their own first answer for the second one.
 */
export const keysOf = ({ requestId, endpoint, input }: IdempotentCall): { request: string; input: string } => ({
  request: keyOf(requestId),
  input: keyOf(`${endpoint} ${sha256(stableJson(input))}`),
})

const sha256 = (text: string): string => hash('sha256', text, 'hex')

/** In the form of a UUID, which Postgres stores in 16 bytes. */
const keyOf = (text: string): string =>
  sha256(text)
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** JSON in which equal values have equal texts: keys sorted, bigints marked, so that 1n and "1" differ. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return { bigint: inner.toString() }
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
