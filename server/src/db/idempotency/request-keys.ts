import { codes } from '@candela/protocol/codes/codes'
import { ageOfRequestId } from '@candela/protocol/request-id'
import { hash } from 'node:crypto'
import { AppError, invalidInput } from '../../kernel/errors.ts'

/** A request id of a member, and when it was asked about. */
export type MemberRequest = { memberId: bigint; requestId: string; now: Date }

/** The identity of a money command: the member, the client's own id, the endpoint, and everything it was asked to do. */
export type IdempotentCall = MemberRequest & {
  endpoint: string
  /** Costs its member nothing, so it counts in the member's day. */
  isFree?: boolean
  /** Parsed input; bigints and dates are fine. The request id may be part of it. */
  input: unknown
}

/** In the place of an input's key: the request was given up. */
export const GIVEN_UP = '00000000-0000-0000-0000-000000000000'

/**
 * The stored keys of a call, each in 128 bits: `request` finds it, `input` tells whether a repetition asks for the same. A caller who
 * finds two inputs with the same key only gets their own first answer for the second one.
 * @throws AppError 4091 for an id that is too old, 400 for one that is ahead of time
 */
export const keysOf = (call: IdempotentCall): { request: string; input: string } => ({
  request: requestKeyOf(call),
  input: keyOf(`${call.endpoint} ${sha256(stableJson(call.input))}`),
})

/**
 * The key of a request id. What was done under an id that is too old may be swept, so nothing is ever done under one.
 * @throws AppError as `keysOf`
 */
export function requestKeyOf({ requestId, now }: Pick<MemberRequest, 'requestId' | 'now'>): string {
  const age = ageOfRequestId(requestId, now.getTime())
  if (age === 'tooOld') throw new AppError(codes.requestTooOld)
  if (age === 'ahead') throw invalidInput('requestId', 'dateAhead')
  return keyOf(requestId)
}

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
