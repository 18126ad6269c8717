import { BaseError, ResourceNotFoundRpcError, RpcRequestError } from 'viem'

/** Why an answer did not come, or came and cannot be used. */
export type RpcFailure = 'unreachable' | 'timeout' | 'limited' | 'refused' | 'badAnswer' | 'wrongChain'

/**
 * The node did not do its part. `unreachable`: no connection or an HTTP error; `timeout`; `limited`: it was asked more
 * often than it allows; `refused`: a JSON-RPC error (a range that is too wide, a block it does not have); `badAnswer`: an
 * answer that is none, or contradicts itself or another; `wrongChain`: the node that answered follows another chain.
 * The message never holds the URL.
 */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly failure: RpcFailure
  /** The JSON-RPC code of a refusal. */
  readonly code: number | null

  constructor(failure: RpcFailure, message: string, options?: ErrorOptions & { code?: number }) {
    super(message, options)
    this.failure = failure
    this.code = options?.code ?? null
  }
}

/** Whether a node refuses because it was asked too often: by its code, or else by its words. */
export const isLimit = (code: number | null, words: string): boolean =>
  code === 429 || code === -32_007 || LIMIT_WORDS.test(words)

const LIMIT_WORDS =
  /rate.?limit|too many requests|request(?:s)? (?:rate|count|limit)|limit reached|per (?:second|minute|hour|day)|quota|throttl|capacity/i

/** Runs a request and turns viem's failures into an `RpcError` that names what was asked. */
export async function ask<T>(what: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    throw rpcError(what, error)
  }
}

function rpcError(what: string, error: unknown): unknown {
  if (error instanceof RpcError) return error
  const cause = rootCause(error)
  if (cause instanceof RpcError) return new RpcError(cause.failure, `${what}: ${cause.message}`)
  if (cause instanceof RpcRequestError || cause instanceof ResourceNotFoundRpcError) {
    const { code, details } = cause
    return new RpcError(isLimit(code, details) ? 'limited' : 'refused', `${what}: ${details}`, { code })
  }
  // Only the short message: viem's full one may hold the URL.
  if (isUndecodable(error)) return new RpcError('badAnswer', `${what}: ${error.shortMessage}`)
  return error
}

const transportErrors = [RpcError, RpcRequestError, ResourceNotFoundRpcError]

/** viem wraps what the transport threw in errors that say what was being done. */
const rootCause = (error: unknown): unknown =>
  error instanceof BaseError
    ? (error.walk((cause) => transportErrors.some((kind) => cause instanceof kind)) ?? error)
    : error

/** viem's errors for data that do not have the form that the ABI says. */
const DECODING =
  /^(?:AbiDecoding\w*|PositionOutOfBounds|InvalidBytesBoolean|SizeOverflow|IntegerOutOfRange|RecursiveReadLimitExceeded|NegativeOffset|ContractFunctionZeroData)Error$/

const isUndecodable = (error: unknown): error is BaseError =>
  error instanceof BaseError && error.walk((cause) => cause instanceof Error && DECODING.test(cause.name)) !== null
